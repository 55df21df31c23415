import type { Agent } from 'node:https';
import type { Dial } from '../../egress/dial.ts';
import { agentThrough } from '../../egress/tls-over.ts';
import { trustBundle } from '../../certificates/trust-bundle.ts';
import { boundInformation, MOST_INFORMATION_OF_PEERS } from '../../request/bound-information.ts';
import { GatheredBody, readAtMost } from '../../request/gathered-body.ts';
import { TurnQueue } from '../../request/turn-queue.ts';
import { Turns } from '../../request/turns.ts';
import { nodeHTTPS } from '../../certificates/node-tls.ts';

/** Of the whole answer. */
const defaultTimeoutMs = 30_000;
/** Of one answer; documents and keys have some kB. */
const maxBytes = 1_048_576;
const maxRedirects = 10;

/** What an issuer has answered. */
export interface IssuerAnswer {
  readonly status: number;
  /** `404 Not Found`. */
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Reads documents of an issuer, whose certificate is checked with authorities of its own or the machine's. */
export class IssuerClient {
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  /** Of its answers. */
  readonly #turns = new Turns({ queue: new TurnQueue({ sums: true }) });

  /**
   * @param certificateAuthority PEM; empty for the machine's
   * @param dial makes connections; default: directly
   * @param timeoutMs how long an answer may take to its end
   */
  constructor(certificateAuthority: string, dial?: Dial, timeoutMs = defaultTimeoutMs) {
    this.#timeoutMs = timeoutMs;
    const agent = new (nodeHTTPS().Agent)({
      keepAlive: true,
      ...trustBundle(certificateAuthority === '' ? undefined : certificateAuthority),
    });
    this.#agent = agentThrough(agent, dial);
  }

  /** Follows redirections, as Go's client does. @throws Error where nothing is answered in 30 seconds */
  async get(url: string, bearer = ''): Promise<IssuerAnswer> {
    let target = new URL(url);
    for (let hops = 0; hops < maxRedirects; hops++) {
      const answer = await this.#ask(target, target.host === new URL(url).host ? bearer : '');
      const { location } = answer.headers;
      if (![301, 302, 303, 307, 308].includes(answer.status) || typeof location !== 'string') return answer;
      target = new URL(location, target);
    }
    throw new Error(`Get "${url}": stopped after ${maxRedirects} redirects`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(url: URL, bearer: string): Promise<IssuerAnswer> {
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => {
        const why = deadline.aborted ? 'the issuer does not answer' : error.message;
        reject(new Error(`Get "${url.href}": ${why}`, { cause: error }));
      };
      const headers = { accept: 'application/json', ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }) };
      const request = nodeHTTPS().get(url, { agent: this.#agent, headers, signal: deadline }, (response) => {
        const tooLarge = (): Error => new Error(`the answer is larger than ${maxBytes} bytes`);
        readAtMost(new GatheredBody(response, this.#turns), maxBytes, tooLarge).then((body) => {
          const { statusCode: status = 0, statusMessage = '' } = response;
          resolve({
            status,
            statusText: `${status} ${statusMessage}`,
            headers: response.headers,
            body: body.toString('utf8'),
          });
        }, failed);
      });
      request.once('error', failed);
      boundInformation(request, MOST_INFORMATION_OF_PEERS);
    });
  }
}
