import type { ExchangeCounts, ExchangeTermination } from '../metrics/exchange-terminations.ts';
import type { RequestContext } from '../request/request-context.ts';
import { RequestAbortedError } from '../request/server-request-context.ts';

/** Where exchanges of a request are counted, by what it is about. */
export type ExchangeCountsOf = (context: RequestContext) => ExchangeCounts;

/** The end of one exchange with a backend: the first reason that is known of counts, the others follow from it. */
export class ExchangeEnd {
  readonly #context: RequestContext;
  readonly #counts: ExchangeCounts | undefined;
  readonly #startedAt = performance.now();
  #reason: ExchangeTermination | undefined = undefined;
  #over = false;

  /** The exchange begins. @param countsOf where its end is told; undefined: nowhere */
  constructor(context: RequestContext, countsOf: ExchangeCountsOf | undefined) {
    this.#context = context;
    this.#counts = countsOf?.(context);
  }

  /** It will end, because of this. What has aborted the request comes before what that does to its connections. */
  because(reason: ExchangeTermination): void {
    this.#reason ??= abortOf(this.#context.signal) ?? reason;
  }

  /** It is over; told once. @param reason where no other was known */
  over(reason: ExchangeTermination): void {
    if (this.#over) return;
    this.#over = true;
    this.because(reason);
    const { auditID, requestInfo } = this.#context;
    this.#counts?.ended(this.#reason ?? reason, {
      servedMs: performance.now() - this.#startedAt,
      auditID,
      uri: requestInfo.path,
    });
  }
}

function abortOf({ aborted, reason }: AbortSignal): ExchangeTermination | undefined {
  if (!aborted || !(reason instanceof RequestAbortedError)) return undefined;
  switch (reason.kind) {
    case 'client':
      return { kind: 'client_left' };
    case 'deadline':
      return { kind: 'timeout' };
    case 'shutdown':
      return { kind: 'shutting_down' };
    default:
      return reason.kind satisfies never;
  }
}
