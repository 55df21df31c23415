import { parseQuery } from '@kubechain/apimachinery';
import type { BodyRecording, JournalEntry } from '@kubechain/apiserver/control';
import type { ControlClient } from './control-client.ts';
import { differencesOfWrites } from './compare-writes.ts';
import { journalText, readRecording, type JournalFormat } from './journal-export.ts';

/** What is looked for; all of what is given must fit, lists hold values of which one must. */
export interface JournalFilter {
  /** Entries after this mark. */
  readonly since?: number;
  readonly verb?: string | readonly string[];
  /** `deployments`, `deployments/status`, `deployments.apps/status`. */
  readonly resource?: string | readonly string[];
  readonly user?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  readonly name?: string | readonly string[];
  /** Beginning of a user agent. */
  readonly userAgent?: string | readonly string[];
  readonly code?: number | readonly number[];
  /** Whether entries have their bodies, of the time when `recordBodies` was on. Default false. */
  readonly bodies?: boolean;
}

/** A request that was made again and again. */
export interface HotLoop {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Within one second. */
  readonly requests: number;
}

/** A request that was made again. */
export interface Retry {
  readonly entry: JournalEntry;
  /** The one before it, that failed. */
  readonly after: JournalEntry;
}

/** What an expectation of the journal that does not hold is told with. */
export class JournalExpectationError extends Error {
  override readonly name = 'JournalExpectationError';
}

interface Answer {
  readonly mark: number;
  readonly entries: readonly JournalEntry[];
}

const writes: readonly string[] = ['create', 'update', 'patch', 'delete', 'deletecollection'];
/** Entries that an error shows. */
const mostShown = 20;
const hotLoopMs = 1_000;
const retryMs = 60_000;
const bounded = ['limit', 'labelSelector', 'fieldSelector', 'resourceVersion'];

/** Every request of a chain: who asked what, and what came of it. */
export class RequestJournal {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /** Where the journal is now: what comes after it is `since` it. */
  async mark(): Promise<number> {
    return (await this.#read({ since: Number.MAX_SAFE_INTEGER })).mark;
  }

  /** Requests that have ended, oldest first; of the last 20,000. */
  async find(filter: JournalFilter = {}): Promise<readonly JournalEntry[]> {
    return (await this.#read(filter)).entries;
  }

  /** Those that fit for other tools: an HTTP archive (HAR 1.2), or JSON lines. */
  async text(format: JournalFormat, filter: JournalFilter = {}): Promise<string> {
    return journalText(await this.find(filter), format);
  }

  /**
   * From now on the bodies of requests and answers are kept, those of watches, logs and streams left out: up to 256 KiB
   * each, 64 MiB of the newest. `secrets`: those of secrets and of requests for tokens too.
   */
  async recordBodies({ record = true, secrets = false }: Partial<BodyRecording> = {}): Promise<void> {
    await this.#client.json('PUT', '/v1/journal/bodies', { record, secrets });
  }

  since(mark: number): Promise<readonly JournalEntry[]> {
    return this.find({ since: mark });
  }

  /** Waits for a request that fits. @throws JournalExpectationError when none has come in time */
  async waitFor(filter: JournalFilter, timeoutMs = 10_000): Promise<JournalEntry> {
    const [first] = (await this.#read(filter, timeoutMs)).entries;
    if (first === undefined)
      throw new JournalExpectationError(`no request fits ${JSON.stringify(filter)} after ${timeoutMs} ms`);
    return first;
  }

  /** @throws JournalExpectationError that shows the writes */
  async expectNoWrites(filter: JournalFilter = {}): Promise<void> {
    await this.expectAtMost(0, { ...filter, verb: filter.verb ?? writes });
  }

  /** @throws JournalExpectationError that shows the requests */
  async expectAtMost(most: number, filter: JournalFilter): Promise<void> {
    const entries = await this.find(filter);
    if (entries.length <= most) return;
    const shown = entries.slice(0, mostShown).map(lineOf);
    throw new JournalExpectationError(
      [`at most ${most} requests were expected, ${entries.length} were made:`, ...shown].join('\n  '),
    );
  }

  /**
   * How the writes that fit differ from those of an earlier run. `recording`: its journal in JSON lines, with bodies.
   * None where they are the same but for times, uids, resourceVersions and generated names.
   * @throws LaunchError for what is no journal
   */
  async differencesFrom(recording: string, filter: JournalFilter = {}): Promise<readonly string[]> {
    return differencesOfWrites(readRecording(recording), await this.find({ ...filter, bodies: true }));
  }

  /** @throws JournalExpectationError that shows how they differ */
  async expectSameWrites(recording: string, filter: JournalFilter = {}): Promise<void> {
    const differences = await this.differencesFrom(recording, filter);
    if (differences.length === 0) return;
    const shown = differences.slice(0, mostShown);
    throw new JournalExpectationError(
      [`the writes differ from the recording in ${differences.length} places:`, ...shown].join('\n  '),
    );
  }

  /** Writes that met a conflict: 409, for a resourceVersion that is not the latest or a name that is taken. */
  conflicts(filter: JournalFilter = {}): Promise<readonly JournalEntry[]> {
    return this.find({ ...filter, verb: filter.verb ?? writes, code: 409 });
  }

  /** Requests that were made again after they had failed: 409, 429, 5xx, or no whole answer; within a minute. */
  async retries(filter: JournalFilter = {}): Promise<readonly Retry[]> {
    const failed = new Map<string, JournalEntry>();
    const found: Retry[] = [];
    for (const entry of await this.find(filter)) {
      const key = JSON.stringify([entry.user, entry.userAgent, entry.method, entry.uri]);
      const after = failed.get(key);
      failed.delete(key);
      if (after !== undefined && Date.parse(entry.receivedAt) - Date.parse(after.receivedAt) <= retryMs)
        found.push({ entry, after });
      if (!entry.complete || entry.code === 409 || entry.code === 429 || entry.code >= 500) failed.set(key, entry);
    }
    return found;
  }

  /** Lists of everything at once and at the latest revision: neither a page, nor selected, nor from the cache. */
  async unboundedLists(filter: JournalFilter = {}): Promise<readonly JournalEntry[]> {
    const lists = await this.find({ ...filter, verb: 'list' });
    return lists.filter(({ uri }) => {
      const query = parseQuery(uri.split('?', 2)[1] ?? '');
      return !bounded.some((name) => (query.get(name) ?? '') !== '');
    });
  }

  /** The same request of one user on one object, `most` times or more within a second. */
  async hotLoops(most = 10, filter: JournalFilter = {}): Promise<readonly HotLoop[]> {
    const times = new Map<string, { readonly entry: JournalEntry; readonly at: number[] }>();
    for (const entry of await this.find(filter)) {
      if (entry.resource === '' || entry.verb === 'watch') continue;
      const key = JSON.stringify([entry.user, entry.verb, entry.group, entry.resource, entry.namespace, entry.name]);
      const found = times.get(key) ?? { entry, at: [] };
      found.at.push(Date.parse(entry.receivedAt));
      times.set(key, found);
    }
    const loops: HotLoop[] = [];
    for (const { at, entry } of times.values()) {
      const requests = mostWithin(at, hotLoopMs);
      const { name, namespace, resource, user, verb } = entry;
      if (requests >= most) loops.push({ user, verb, resource, namespace, name, requests });
    }
    return loops;
  }

  /** @throws JournalExpectationError that shows them */
  async expectNoConflicts(filter: JournalFilter = {}): Promise<void> {
    expectNone('writes met a conflict', (await this.conflicts(filter)).map(lineOf));
  }

  /** @throws JournalExpectationError that shows them */
  async expectNoUnboundedLists(filter: JournalFilter = {}): Promise<void> {
    expectNone('lists were of everything at once', (await this.unboundedLists(filter)).map(lineOf));
  }

  /** @throws JournalExpectationError that shows them */
  async expectNoHotLoops(filter: JournalFilter = {}): Promise<void> {
    const loops = await this.hotLoops(undefined, filter);
    const lines = loops.map(
      ({ name, namespace, requests, resource, user, verb }) =>
        `${requests} times in a second: ${verb} ${resource} ${namespace}/${name} by ${user}`,
    );
    expectNone('requests were made again and again', lines);
  }

  #read(filter: JournalFilter, waitMs?: number): Promise<Answer> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(filter))
      if (value !== undefined) for (const one of [value].flat()) query.append(name, String(one));
    if (waitMs !== undefined) query.set('wait', String(waitMs));
    return this.#client.json('GET', `/v1/journal?${query.toString()}`);
  }
}

function expectNone(what: string, found: readonly string[]): void {
  if (found.length === 0) return;
  throw new JournalExpectationError([`${found.length} ${what}:`, ...found.slice(0, mostShown)].join('\n  '));
}

/** An entry in one line. */
export function lineOf({ code, decision, durationMs, fault, uri, user, verb }: JournalEntry): string {
  const refused = decision === undefined || decision.decision === 'Allow' ? '' : `, refused: ${decision.reason}`;
  const met = fault === undefined ? '' : `, fault ${fault}`;
  return `${code} ${verb} ${uri} by ${user}, ${durationMs} ms${met}${refused}`;
}

function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let most = 0;
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while ((sorted[to] as number) - (sorted[from] as number) > windowMs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
