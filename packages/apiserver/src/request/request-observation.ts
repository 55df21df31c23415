import type { ReadSource } from '@kubechain/shared-storage';

/** One step of an observed request, in milliseconds since the process got the request. */
export interface ObservedSpan {
  readonly kind: 'filter' | 'phase' | 'plugin' | 'webhook' | 'policy';
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number;
  /** What came of it: `refused`, a webhook's patch. */
  readonly detail?: string;
}

/** What one admission plugin made of an object: JSON of it before and after. */
export interface ObservedChange {
  readonly by: string;
  readonly before: string;
  readonly after: string;
}

/** Who allowed or refused, and how. */
export interface ObservedDecision {
  readonly decision: string;
  readonly reason: string;
}

/** Steps kept of one request: what comes after is left out. */
const mostSpans = 200;
/** Steps told of those that go on side by side. */
const mostTold = 3;

/**
 * What one process finds out about one request that somebody looks at, at the chain's page. A request has one only
 * while a page is open; everybody else asks for it with `?.` and goes on.
 */
export class RequestObservation {
  readonly spans: ObservedSpan[] = [];
  readonly changes: ObservedChange[] = [];
  /** Objects are kept, too; otherwise times alone. */
  readonly deep: boolean;
  /** The kind of credential that the user was known by. */
  credential = '';
  /** JSON of the stored object before, and of what is to be stored. */
  before: string | undefined = undefined;
  after: string | undefined = undefined;
  responseBytes = 0;
  /** Who has answered a read of storage; undefined where nothing was read for an answer. */
  source: ReadSource | undefined = undefined;
  readonly #startedAt: number;
  #filter = '';
  #filterStartedAt = 0;
  /** Steps that have begun and not ended, the innermost last. */
  readonly #underWay: { readonly kind: ObservedSpan['kind']; readonly name: string }[] = [];

  /** @param startedAt performance.now() when the process got the request */
  constructor(startedAt: number, deep: boolean) {
    this.#startedAt = startedAt;
    this.deep = deep;
  }

  /** A filter of the handler chain begins, and with it the one before ends. */
  enterFilter(name: string): void {
    this.leaveFilter();
    this.#filter = name;
    this.#filterStartedAt = performance.now();
  }

  readonly answeredBy = (source: ReadSource): void => {
    this.source = source;
  };

  /** The last filter that has begun, ends. */
  leaveFilter(): void {
    if (this.#filter !== '') this.add('filter', this.#filter, this.#filterStartedAt);
    this.#filter = '';
  }

  /** A step begins; the answer is for `add`, which ends it. */
  begin(kind: ObservedSpan['kind'], name: string): number {
    if (this.#underWay.length < mostSpans) this.#underWay.push({ kind, name });
    return performance.now();
  }

  /**
   * What goes on now: the innermost steps, side by side, or the filter (`webhook a, webhook b`, `filter
   * authentication`). '' when it is nothing that is told.
   */
  get doing(): string {
    const last = this.#underWay.at(-1);
    if (last === undefined) return this.#filter === '' ? '' : `filter ${this.#filter}`;
    return this.#underWay
      .filter(({ kind }) => kind === last.kind)
      .slice(-mostTold)
      .map(({ kind, name }) => (kind === 'phase' ? name : `${kind} ${name}`))
      .join(', ');
  }

  /** Somebody has changed the object; nothing is kept where objects are not, or of what is as it was. */
  changed(by: string, before: string, after: string): void {
    if (this.deep && before !== after) this.changes.push({ by, before, after });
  }

  /** A step that ends now. `startedAt` is a performance.now(). */
  add(kind: ObservedSpan['kind'], name: string, startedAt: number, detail?: string): void {
    const at = this.#underWay.findLastIndex((step) => step.kind === kind && step.name === name);
    if (at !== -1) this.#underWay.splice(at, 1);
    if (this.spans.length >= mostSpans) return;
    this.spans.push({
      kind,
      name,
      startMs: startedAt - this.#startedAt,
      durationMs: performance.now() - startedAt,
      ...(detail === undefined ? {} : { detail }),
    });
  }
}
