import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/**
 * On pods: what their ports answer, as JSON: `{"80": "hello\n", "8080": {"/healthz": "ok\n", "*": "no\n"}}`: a text, or
 * texts by path. Requests of HTTP get it as the body of an answer, others as it is.
 */
export const portsAnnotation = 'simulation.kubechain.dev/ports';

/** One connection that is forwarded to a port of a pod. */
export interface PlayedPort {
  /** Undefined: nothing listens there. */
  readonly answer: ((request: string) => Buffer) | undefined;
  /** In the words of a kubelet, for who has asked for a port where nothing listens. */
  readonly refusal: string;
}

/** What a port of a played pod answers. */
export function portOf({ metadata }: Pod, port: string): PlayedPort {
  const script = scriptOf(metadata?.annotations?.[portsAnnotation])[port];
  const refusal =
    `error forwarding port ${port} to pod ${metadata?.name ?? ''}, uid : dial tcp4 127.0.0.1:${port}: connect: ` +
    'connection refused';
  return { refusal, answer: script === undefined ? undefined : (request) => answerOf(script, request) };
}

type PortScript = string | Readonly<Record<string, unknown>>;

/** What cannot be read is no script: nothing listens. */
function scriptOf(text: string | undefined): Readonly<Record<string, PortScript>> {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, PortScript>>) : {};
  } catch {
    return {};
  }
}

function answerOf(script: PortScript, request: string): Buffer {
  const [, method, target = ''] = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r?\n/.exec(request) ?? [];
  const byPath = (path: string): unknown => (typeof script === 'string' ? script : (script[path] ?? script['*']));
  if (method === undefined) return Buffer.from(textOf(byPath('')));
  const found = byPath(target.split('?')[0] ?? '');
  const body = Buffer.from(found === undefined ? '404 page not found\n' : textOf(found));
  const head =
    `HTTP/1.1 ${found === undefined ? '404 Not Found' : '200 OK'}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), method === 'HEAD' ? Buffer.alloc(0) : body]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
