import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { OpenRequestsMessage } from './messages.ts';
import { subjectOf } from './request-message.ts';

/** Most requests are over before anybody could see them. */
const toldAfterMs = 150;
/** Requests told in one message: more are counted. */
const mostTold = 30;

/** The requests that a process has at the moment. */
export class OpenRequests {
  readonly #contexts = new Set<ServerRequestContext>();
  /** Whether some were told last time: then it is told when there are none. */
  #told = false;

  add(context: ServerRequestContext): void {
    this.#contexts.add(context);
  }

  delete(context: ServerRequestContext): void {
    this.#contexts.delete(context);
  }

  clear(): void {
    this.#contexts.clear();
    this.#told = false;
  }

  /** What is open at `nowMs` of performance.now(); undefined while there is nothing to tell. */
  take(nowMs: number): OpenRequestsMessage | undefined {
    const requests = [];
    let more = 0;
    for (const context of this.#contexts) {
      const forMs = nowMs - context.startedAt;
      // The oldest come first.
      if (forMs < toldAfterMs) break;
      // An upgrade has no answer whose end could be seen.
      if (context.ended || context.request.socket?.destroyed === true) this.#contexts.delete(context);
      else if (context.requestInfo.verb === 'watch') continue;
      else if (requests.length === mostTold) more++;
      else requests.push({ ...subjectOf(context), forMs, doing: context.observation?.doing ?? '' });
    }
    if (requests.length === 0 && !this.#told) return undefined;
    this.#told = requests.length > 0;
    return { kind: 'open', requests, more };
  }
}
