import { aggregatedDiscovery, aggregatedDiscoveryBeta } from '../remote/discovery-media-types.ts';
import { Logger } from '@kubechain/apiserver/logging';
import { aggregatedResources } from '@kubechain/apiserver/servers';
import type { APIResource } from '@kubechain/apiserver/resources';
import type { APIVersionDiscovery } from '@kubechain/apiserver/servers';
import { TurnQueue } from '@kubechain/apiserver/proxies';
import { Backoff, builtinRelease, countValues, limits, messageOf, parseJSON } from '@kubechain/apimachinery';
import type { ReleaseAge, Timer, TimerClock } from '@kubechain/apimachinery';
import { askRemote, type RemoteAnswer } from '../remote/ask-remote.ts';
import { FewAtOnce } from '../remote/few-at-once.ts';
import { KeptDocuments } from '../remote/kept-documents.ts';
import { legacyDiscoveryUser } from '../remote/remote-identity.ts';
import type { RemoteService } from '../remote/remote-service.ts';

const log = new Logger('discovery');

const timeoutMs = 5_000;
/** Ms after which a document is fetched again; a change of its APIService fetches it at once. */
const refreshMs = 60_000;
/** Ms after which a failed fetch is repeated; the pause grows with each failure. */
const firstRetryMs = 500;

type Versions = ReadonlyMap<string, APIVersionDiscovery>;
interface ServerDocument {
  readonly etag: string;
  readonly versions: Versions;
}
interface Entry {
  remote: RemoteService;
  /** Discovery as it is shown; undefined until the server has been asked for the first time. */
  shown: APIVersionDiscovery | undefined;
  /** The same as JSON. */
  text: string;
  timer: Timer | undefined;
  readonly retries: Backoff;
  /**
   * The APIService has changed since it was first seen: its server is asked from then on whether it counts as available
   * or not, since a server may tell what it serves and yet fail the looks for its availability.
   */
  changed: boolean;
  /** Being fetched. */
  asked: RemoteService | undefined;
  /** The APIService changed during the fetch: it is repeated once. */
  again: boolean;
  /** Grows with each fetch, so that an old answer does not overwrite a newer one. */
  turn: number;
}

export interface RemoteDiscoveryOptions {
  readonly clock: TimerClock;
  readonly release?: ReleaseAge;
  /** What is shown has changed. */
  readonly onChange: () => void;
}

/**
 * The discovery documents of extension API servers, fetched in the background and kept: a server that is gone leaves
 * its last document, marked stale, and no request ever waits for one (kube-aggregator's discoveryManager, 1.36).
 */
export class RemoteDiscovery {
  readonly #clock: TimerClock;
  readonly #accept: string;
  readonly #onChange: () => void;
  readonly #entries = new Map<string, Entry>();
  /** Last aggregated document of each server, by RemoteService.key: several APIServices may share it. */
  readonly #documents = new Map<string, ServerDocument>();
  /** Last document of each group version of servers that know the old form only. */
  readonly #legacy = new Map<string, APIVersionDiscovery>();
  /** What is shown, by the name of its APIService; and `#documents`, as long as there is room. */
  readonly #shown = new KeptDocuments(limits.extensionDiscovery.value);
  readonly #kept = new KeptDocuments(limits.extensionDiscovery.value);
  readonly #few = new FewAtOnce();
  /** A document is parsed, and written, in a turn of its own. */
  readonly #turns = new TurnQueue();
  readonly #stop = new AbortController();

  constructor({ clock, onChange, release = builtinRelease }: RemoteDiscoveryOptions) {
    this.#clock = clock;
    this.#accept = release.since('1.37') ? aggregatedDiscovery : `${aggregatedDiscovery},${aggregatedDiscoveryBeta}`;
    this.#onChange = onChange;
  }

  /**
   * Shows the group version of an APIService, and asks its server: however often that changes while an answer is waited
   * for, only once more.
   */
  set(remote: RemoteService): void {
    const known = this.#entries.get(remote.name);
    const entry: Entry = known ?? {
      remote,
      shown: undefined,
      text: '',
      timer: undefined,
      turn: 0,
      asked: undefined,
      again: false,
      changed: false,
      retries: new Backoff({ firstMs: firstRetryMs, longestMs: refreshMs }),
    };
    entry.remote = remote;
    entry.changed = known !== undefined;
    this.#entries.set(remote.name, entry);
    if (entry.asked === remote) entry.again = true;
    else void this.#refresh(entry);
  }

  delete(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.timer?.cancel();
    entry.turn++;
    this.#entries.delete(name);
    const { remote } = entry;
    this.#shown.forget(name);
    this.#legacy.delete(`${remote.key} ${remote.group}/${remote.version}`);
    if (![...this.#entries.values()].some((other) => other.remote.key === remote.key)) {
      this.#documents.delete(remote.key);
      this.#kept.forget(remote.key);
    }
    this.#onChange();
  }

  /** What is shown of remote group versions. */
  *versions(): Generator<{ readonly remote: RemoteService; readonly discovery: APIVersionDiscovery }> {
    for (const { remote, shown } of this.#entries.values()) if (shown !== undefined) yield { remote, discovery: shown };
  }

  stop(): void {
    this.#stop.abort();
    for (const entry of this.#entries.values()) entry.timer?.cancel();
    this.#entries.clear();
  }

  async #refresh(entry: Entry): Promise<void> {
    entry.timer?.cancel();
    const turn = ++entry.turn;
    const { remote } = entry;
    entry.asked = remote;
    entry.again = false;
    const fetched = await this.#few.ask(remote.key, () => this.#fetch(remote, remote.available || entry.changed));
    let shown = { ...fetched, resources: fetched.resources.slice(0, limits.extensionResources.value) };
    if (this.#stop.signal.aborted || entry.turn !== turn) return;
    entry.asked = undefined;
    let text = JSON.stringify(shown);
    const bytes = Buffer.from(text);
    if (!this.#shown.keep(remote.name, { bytes: bytes.length, values: countValues(bytes) })) {
      log.warning('discovery of extension API servers is too large together', { name: remote.name });
      shown = { version: remote.version, resources: [], freshness: 'Stale' };
      text = JSON.stringify(shown);
    }
    const fresh = shown.freshness === 'Current';
    if (fresh) entry.retries.reset();
    if (entry.again) void this.#refresh(entry);
    else
      entry.timer = this.#clock.setTimer(
        () => {
          void this.#refresh(entry);
        },
        fresh ? refreshMs : entry.retries.next(),
      );
    if (text === entry.text) return;
    entry.shown = shown;
    entry.text = text;
    this.#onChange();
  }

  async #fetch(remote: RemoteService, mayAsk: boolean): Promise<APIVersionDiscovery> {
    const { group, version } = remote;
    const name = `${group}/${version}`;
    const legacyKey = `${remote.key} ${name}`;
    try {
      if (!mayAsk) throw new TypeError('service unavailable');
      const address = remote.address();
      const known = this.#documents.get(remote.key);
      const answer = await askRemote(remote, {
        address,
        path: '/apis',
        timeoutMs,
        signal: this.#stop.signal,
        headers: { accept: this.#accept, ...(known === undefined ? {} : { 'if-none-match': known.etag }) },
      });
      await this.#turns.take('');
      const document = answer.status === 304 && known !== undefined ? known : aggregatedDocument(answer);
      if (document !== undefined) {
        if (document !== known) this.#keep(remote.key, document, answer);
        return document.versions.get(name) ?? { version, resources: [], freshness: 'Current' };
      }
      const resources = await askRemote(remote, {
        address,
        path: `/apis/${name}`,
        user: legacyDiscoveryUser,
        timeoutMs,
        signal: this.#stop.signal,
        headers: { accept: 'application/json' },
      });
      await this.#turns.take('');
      const legacy = legacyVersion(resources, version);
      this.#legacy.set(legacyKey, legacy);
      return legacy;
    } catch (error) {
      if (log.enabled(2))
        log.info('discovery of an extension API server failed', { name: remote.name, err: messageOf(error) }, 2);
      const last = this.#documents.get(remote.key)?.versions.get(name) ?? this.#legacy.get(legacyKey);
      return last === undefined ? { version, resources: [], freshness: 'Stale' } : { ...last, freshness: 'Stale' };
    }
  }

  #keep(key: string, document: ServerDocument, { body, values }: RemoteAnswer): void {
    if (this.#kept.keep(key, { bytes: body.length, values })) this.#documents.set(key, document);
    else this.#documents.delete(key);
  }
}

type ResourceDiscovery = APIVersionDiscovery['resources'][number];
type Kindless<T> = Omit<T, 'responseKind' | 'subresources'> & Partial<Pick<ResourceDiscovery, 'responseKind'>>;
/** A resource as servers tell of it. */
type ToldResource = Kindless<ResourceDiscovery> & {
  readonly subresources?: readonly Kindless<NonNullable<ResourceDiscovery['subresources']>[number]>[] | null;
};

interface AggregatedList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version?: string;
      readonly resources?: readonly ToldResource[] | null;
    }[];
  }[];
}

/** The aggregated form; undefined when the server knows the old form only. */
function aggregatedDocument({ status, headers, body }: RemoteAnswer): ServerDocument | undefined {
  if (status !== 200 || !/^application\/json;.*as=APIGroupDiscoveryList/.test(headers['content-type'] ?? ''))
    return undefined;
  const { items = [] } = parseJSON(body) as AggregatedList;
  const versions = new Map<string, APIVersionDiscovery>();
  for (const { metadata, versions: served = [] } of items) {
    // Whether it could be asked is what counts, not what it says of itself.
    for (const { version = '', resources } of served)
      versions.set(`${metadata?.name ?? ''}/${version}`, {
        version,
        resources: (resources ?? []).map(withResponseKinds),
        freshness: 'Current',
      });
  }
  return { etag: headers.etag ?? '', versions };
}

/** Old clients do not accept resources without a response kind, so one is filled in where a server names none. */
function withResponseKinds({ subresources, ...resource }: ToldResource): ResourceDiscovery {
  return {
    ...resource,
    responseKind: resource.responseKind ?? noKind,
    ...(subresources !== undefined &&
      subresources !== null && {
        subresources: subresources.map((each) => ({ ...each, responseKind: each.responseKind ?? noKind })),
      }),
  };
}

const noKind = { group: '', version: '', kind: '' } as const;

function legacyVersion({ status, body }: RemoteAnswer, version: string): APIVersionDiscovery {
  if (status !== 200) throw new TypeError(`discovery answered ${status}`);
  const { resources = [] } = parseJSON(body) as { readonly resources?: readonly APIResource[] };
  return { version, resources: aggregatedResources(resources, undefined), freshness: 'Current' };
}
