import type { Answer, Client, Identity } from '../harness/client.ts';
import type { Step } from './step.ts';

/** What of an answer has to be the same. */
export interface Told {
  readonly code: number;
  readonly contentType?: string;
  readonly warnings?: string;
  readonly allow?: string;
  readonly text: string;
}

/** Sends a step and keeps what counts of the answer. */
export async function play(
  client: Client,
  { accept, body, contentType, method, path }: Step,
  as?: Identity,
): Promise<Told> {
  const answer = await client.call(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined
        ? {}
        : {
            'content-type': contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'),
          }),
      'user-agent': 'wire',
    },
    ...(as === undefined ? {} : { as }),
  });
  return toldBy(answer);
}

function toldBy({ headers, status, text }: Answer): Told {
  const { allow, warning } = headers;
  return {
    code: status,
    ...(headers['content-type'] === undefined ? {} : { contentType: headers['content-type'] }),
    ...(warning === undefined ? {} : { warnings: String(warning) }),
    ...(allow === undefined ? {} : { allow: String(allow) }),
    text: withoutWhatVaries(text),
  };
}

/** Each server has identities, times and revisions of its own; discovery is compared elsewhere. */
function withoutWhatVaries(text: string): string {
  return (
    text
      .replaceAll(/\\+"(uid|resourceVersion|creationTimestamp|time)\\+":\s?\\+"[^"\\]*\\+"/g, '$1: …')
      // Ages, those of times that a step gives among them.
      .replaceAll(/"(?:\d+s|\d+d|\d+y(?:\d+d)?)"/g, '"…"')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '…')
      .replaceAll(/(n{50,})[a-z0-9]{5}(?=\\*")/g, '$1')
      .replaceAll(
        /"(uid|resourceVersion|creationTimestamp|deletionTimestamp|time|storageVersionHash)":\s?"[^"]*"/g,
        '"$1":"…"',
      )
      .replaceAll(/((?:uid|resourceVersion|creationTimestamp|time): )"?[\w:.-]+"?/g, '$1…')
      .replaceAll(/"clusterIPs?":\s?(?:"[^"]*"|\["[^"]*"\])/g, '"clusterIP":"…"')
      .replaceAll(
        /"(?:serverAddress|gitVersion|gitCommit|gitTreeState|goVersion|compiler|platform|buildDate)":\s?"[^"]*",?/g,
        '',
      )
      .replaceAll(/"n"?[bcdfghjklmnpqrstvwxz2456789]{5}"/g, '"…"')
  );
}
