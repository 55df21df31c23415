import { acceptPortForward } from '@kubechain/apiserver/streaming';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { portOf } from './scripted-port.ts';

/** An answer is given when a request's head is there, or so much of anything else. */
const mostHead = 64 * 1024;

/** Forwards ports of a played pod: each connection has a stream for errors and one for data. */
export function forwardPorts(
  pod: Pod,
  upgrade: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
): void {
  acceptPortForward(upgrade, ({ headers, stream }) => {
    const port = headers.get('port') ?? '';
    const { answer, refusal } = portOf(pod, port);
    if (headers.get('streamtype') !== 'data') {
      if (answer === undefined) stream.write(Buffer.from(refusal));
      stream.end();
      return { data: () => undefined, end: () => undefined };
    }
    if (answer === undefined) stream.end();
    let request = '';
    let isAnswered = answer === undefined;
    const respond = (): void => {
      if (isAnswered || answer === undefined) return;
      isAnswered = true;
      stream.write(answer(request));
      stream.end();
    };
    return {
      data: (chunk) => {
        if (isAnswered) return;
        request += chunk.toString('latin1');
        const isHttp = /^[A-Z]+ /.test(request);
        if (!isHttp || /\r?\n\r?\n/.test(request) || request.length > mostHead) respond();
      },
      end: respond,
    };
  });
}
