import { createServer, type Server } from 'node:https';
import { isPlainObject } from '@kubechain/apimachinery';
import type { localhostCertificate } from '../../harness/local-https.ts';
import { listenLocally } from '../../harness/local-https.ts';

/** What a webhook was asked. */
export interface Asked {
  /** `/s1-0/2/label` */
  readonly url: string;
  readonly review: unknown;
}

type Review = Readonly<Record<string, unknown>>;

const patch = (...operations: object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
const LONG = 'x'.repeat(300);

/** Answers by the last part of a webhook's path; a function sees the object that it is asked about. */
const BEHAVIOURS: Readonly<Record<string, object | ((object: Review) => object)>> = {
  allow: { allowed: true },
  deny: { allowed: false },
  refuse: { allowed: false, status: { message: 'no', reason: 'Conflict', code: 409 } },
  'refuse-oddly': { allowed: false, status: { status: 'Success', code: 200, details: { kind: 'x' } } },
  'refuse-at-length': { allowed: false, status: { message: `${LONG}\n${LONG}`, code: 499 } },
  warn: { allowed: true, warnings: ['one', '', 'with "quotes", and\na new line', 'ünï', LONG] },
  audit: { allowed: true, auditAnnotations: { k: 'v', 'a/b': 'c', '': 'x' } },
  label: patch({ op: 'add', path: '/metadata/labels/hook', value: 'x' }),
  again: ({ metadata }) => {
    const { labels = {} } = (metadata ?? {}) as { readonly labels?: Readonly<Record<string, string>> };
    return patch({ op: 'add', path: '/metadata/labels/again', value: `${labels['again'] ?? ''}a` });
  },
  'after-hook': ({ metadata }) =>
    JSON.stringify(metadata ?? null).includes('"hook"')
      ? patch({ op: 'add', path: '/metadata/labels/seen', value: 'hook' })
      : { allowed: true },
  image: patch({ op: 'replace', path: '/spec/containers/0/image', value: 'hooked' }),
  replicas: patch({ op: 'add', path: '/spec/replicas', value: 9 }),
  wrong: patch({ op: 'add', path: '/spec/replicas', value: 'x' }, { op: 'add', path: '/unknown', value: 1 }),
  data: patch({ op: 'add', path: '/data', value: { hook: 'x' } }),
  fails: patch({ op: 'test', path: '/metadata/name', value: 'nothing' }),
  'no-type': { allowed: true, patch: Buffer.from('[]').toString('base64') },
  'no-patch': { allowed: true, patchType: 'JSONPatch' },
  'other-type': { allowed: true, patchType: 'x', patch: Buffer.from('[]').toString('base64') },
  'bad-patch': { allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') },
  'other-uid': { uid: 'other', allowed: true },
};
/** Answers that are no reviews. */
const RAW: Readonly<Record<string, { readonly status: number; readonly body: string }>> = {
  garbage: { status: 200, body: 'x' },
  empty: { status: 200, body: '' },
  'no-kind': { status: 200, body: '{"response":{"allowed":true}}' },
  'other-kind': { status: 200, body: '{"apiVersion":"v1","kind":"Pod","response":{"allowed":true}}' },
  'no-response': { status: 200, body: '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}' },
  unavailable: { status: 503, body: 'not now' },
  redirect: { status: 302, body: '' },
};
export const WEBHOOKS_THAT_CHANGE: readonly string[] = Object.keys(BEHAVIOURS);
export const WEBHOOKS_THAT_FAIL: readonly string[] = Object.keys(RAW);

/** Webhooks of one server that remember what they were asked, by the first part of their path. */
export class WebhookListener {
  readonly url: string;
  /** Base64. */
  readonly caBundle: string;
  readonly #server: Server;
  readonly #asked: Map<string, Asked[]>;

  private constructor(parts: { url: string; caBundle: string; server: Server; asked: Map<string, Asked[]> }) {
    this.url = parts.url;
    this.caBundle = parts.caBundle;
    this.#server = parts.server;
    this.#asked = parts.asked;
  }

  /** @param credentials those of all listeners, so that what is sent to servers has one authority */
  static async start(credentials: ReturnType<typeof localhostCertificate>): Promise<WebhookListener> {
    const asked = new Map<string, Asked[]>();
    const server = createServer(credentials, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '' } = request;
        const [, story = '', , behaviour = ''] = (url.split('?', 1)[0] ?? '').split('/');
        // Whoever follows where it is sent asks nothing.
        const review = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Review;
        // How long is left of the time that it may take is each server's own.
        const path = url.replace(/\?timeout=\d+s$/, '');
        asked.set(story, [...(asked.get(story) ?? []), { url: path, review }]);
        const raw = RAW[behaviour];
        const { body, status } = raw ?? { status: 200, body: JSON.stringify(answerOf(behaviour, review)) };
        response.writeHead(status, { 'content-type': 'application/json', location: '/x' }).end(body);
      });
    });
    const url = `https://localhost:${await listenLocally(server)}`;
    return new WebhookListener({ url, caBundle: Buffer.from(credentials.cert).toString('base64'), server, asked });
  }

  /** What was asked for a story since this was called last; those of each webhook in turn. */
  taken(story: string): readonly Asked[] {
    const taken = this.#asked.get(story) ?? [];
    this.#asked.delete(story);
    return taken.toSorted((a, b) => (a.url < b.url ? -1 : Number(a.url > b.url)));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function answerOf(behaviour: string, review: Review): object {
  const request = (review['request'] ?? {}) as Review;
  const known = BEHAVIOURS[behaviour] ?? { allowed: true };
  const object = isPlainObject(request['object']) ? request['object'] : {};
  const response = typeof known === 'function' ? known(object) : known;
  return {
    apiVersion: review['apiVersion'],
    kind: 'AdmissionReview',
    response: { uid: request['uid'], ...response },
  };
}
