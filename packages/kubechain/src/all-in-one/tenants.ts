import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDNS1123Label, seededRandomness, type Randomness, type TimerClock } from '@kubechain/apimachinery';
import { MovableClock } from '@kubechain/apimachinery/movable-clock';
import { Assembly } from '@kubechain/apiserver/assembly';
import {
  TenantError,
  type ControlAnswer,
  type ControlCall,
  type TenantFacts,
  type TenantKeeper,
} from '@kubechain/apiserver/control';
import { Commons, controlLinkOfProcess, serverSecrets, TenantRouter, tenantPath } from '@kubechain/apiserver/servers';
import type { ServerSecrets } from '@kubechain/apiserver/servers';
import type { HeapGauge, WorkObserver } from '@kubechain/apiserver/watchdog';
import { openEmbeddedStore, type EmbeddedStore, type StoreImage } from '@kubechain/embedded-etcd';
import { SharedRecords } from '@kubechain/shared-storage';
import { takeSnapshot, type Snapshot } from '@kubechain/shared-storage/snapshots';
import type { GivenFlag } from '../chain/route-flags.ts';
import { assembleAllInOne, readAllInOneFlags, type AllInOneFlags } from './assemble.ts';
import { DirectClient } from './direct-client.ts';
import { storeOfThisProcess } from './open-store.ts';
import { runPart } from './run-part.ts';

/** What tenants have of the chain that they belong to. */
export interface TenantsOptions {
  /** Where clients keep the kubeconfig of a tenant, in a folder of its name; removed with it. */
  readonly folder: string;
  /** Of the chain. */
  readonly url: string;
  readonly clock: TimerClock;
  /** Of the process that they are in. */
  readonly heap: HeapGauge;
  /** Of the thread that they are on; undefined where nobody watches over it. */
  readonly watchdog: WorkObserver | undefined;
  readonly randomness: Randomness;
  readonly seed: number | undefined;
  /** Flags of the chain. */
  readonly given: readonly GivenFlag[];
  /** Those that nobody gave. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Aborts when the chain is to stop. */
  readonly signal: AbortSignal;
}

interface Tenant {
  readonly facts: TenantFacts;
  readonly answer: (call: ControlCall) => Promise<ControlAnswer>;
  readonly store: EmbeddedStore;
  readonly close: () => Promise<void>;
}

/** What tenants begin with; the model of all of them with nothing that is stored. */
interface Beginning {
  readonly commons: Commons;
  /** Of the chain, but for those that are the chain's alone. */
  readonly flags: AllInOneFlags;
  readonly image?: StoreImage;
  /** The same as `image`. */
  readonly start?: Snapshot;
  readonly records?: SharedRecords;
}

/** What servers keep of themselves: of the model's, which have ended. */
const ofAServer = /^\/registry\/(?:masterleases|leases\/kube-system)\//;

/** Flags of the chain alone: where it listens, who its clients are, where it stores and what it writes. */
const ofTheChain =
  /^(?:control-listen|tenants-from|expired-tls-cert-file|observe-listen|secure-port|insecure-.*|token-auth-file|client-ca-file|etcd-.*|requestheader-.*|tls-.*|cert-dir|service-account-(?:.*key-file|signing-endpoint)|audit-log-.*|audit-webhook-.*)$/;

/**
 * The tenants of a chain: each is three servers of its own over a store of its own in memory, all in this process
 * (the chain's own, where that is one), reached by the chain's port. They share code, schemas and documents, the clock,
 * and nothing else.
 */
export class Tenants implements TenantKeeper {
  readonly router = new TenantRouter();
  readonly #options: TenantsOptions;
  readonly #tenants = new Map<string, Promise<Tenant>>();
  readonly #ready = new Map<string, TenantFacts>();
  #beginning: Promise<Beginning> | undefined;

  constructor(options: TenantsOptions) {
    this.#options = options;
  }

  list(): Promise<readonly TenantFacts[]> {
    return Promise.resolve([...this.#ready.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  async create(name: string): Promise<TenantFacts> {
    if (isDNS1123Label(name).length > 0)
      throw new TenantError(`name must be letters of a to z, digits and hyphens, not ${JSON.stringify(name)}`);
    if (this.#tenants.has(name)) throw new TenantError(`there is a tenant ${JSON.stringify(name)} already`);
    const opening = this.#open(name);
    this.#tenants.set(name, opening);
    try {
      const { facts } = await opening;
      this.#ready.set(name, facts);
      return facts;
    } catch (error) {
      this.#tenants.delete(name);
      throw error;
    }
  }

  async remove(name: string): Promise<boolean> {
    const opening = this.#tenants.get(name);
    if (opening === undefined) return false;
    this.router.remove(name);
    this.#ready.delete(name);
    const tenant = await opening.catch(() => undefined);
    await tenant?.close();
    this.#tenants.delete(name);
    return tenant !== undefined;
  }

  async answer(name: string, call: ControlCall): Promise<ControlAnswer | undefined> {
    return (await this.#tenants.get(name))?.answer(call);
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#tenants.keys()].map((name) => this.remove(name)));
  }

  async #open(name: string): Promise<Tenant> {
    const making = (this.#beginning ??= this.#makeBeginning());
    // The next tenant tries again.
    making.catch(() => {
      if (this.#beginning === making) this.#beginning = undefined;
    });
    return this.#opened(name, await making);
  }

  async #opened(name: string, beginning: Beginning): Promise<Tenant> {
    const assembly = new Assembly();
    try {
      return await this.#assemble(assembly, name, beginning);
    } catch (error) {
      await assembly.close();
      throw error;
    }
  }

  /** What every tenant begins with: one that nobody knows is made, and its store is the image of the others'. */
  async #makeBeginning(): Promise<Beginning> {
    const { defaults, given, seed } = this.#options;
    const commons = new Commons();
    const own = new Map([
      ...[...defaults].filter(([flag]) => !ofTheChain.test(flag)),
      ['etcd-servers', storeOfThisProcess],
      ['secure-port', '0'],
    ] as const);
    const flags = readAllInOneFlags(
      given.filter((flag) => !ofTheChain.test(flag.name)),
      own,
    );
    const model = await this.#opened('', { commons, flags });
    try {
      if (seed !== undefined) await model.answer(call('POST', '/v1/settle'));
      const image = model.store.image((key) => ofAServer.test(key));
      const store = openEmbeddedStore({ dataFile: ':memory:', image });
      const start = await takeSnapshot(new DirectClient(store)).finally(() => {
        store.close();
      });
      return { commons, flags, image, start, records: new SharedRecords(image.values.values()) };
    } finally {
      await model.close();
    }
  }

  async #assemble(assembly: Assembly, name: string, beginning: Beginning): Promise<Tenant> {
    const { clock, heap, randomness, seed, signal, url, watchdog } = this.#options;
    const { commons, flags, image, records, start } = beginning;
    // Clients put its kubeconfig there.
    assembly.open(
      'folder',
      () => join(this.#options.folder, name === '' ? '.model' : name),
      (path) => {
        rmSync(path, { recursive: true, force: true });
      },
    );
    const store = assembly.open(
      'store',
      () =>
        openEmbeddedStore({
          dataFile: ':memory:',
          ...(clock instanceof MovableClock ? { clock } : {}),
          ...(image === undefined ? {} : { image }),
        }),
      (opened) => {
        opened.close();
      },
    );
    const facts = { name, url: `${url}${tenantPath(name)}`, token: randomBytes(24).toString('base64url') };
    const control = Promise.withResolvers<Tenant['answer']>();
    const servers = await assembleAllInOne({
      assembly,
      flags,
      environment: {
        clock,
        commons,
        heap,
        watchdog,
        randomness: seed === undefined ? randomness : seededRandomness(seed, `tenant ${name}`),
        signal,
        ...controlLinkOfProcess(),
        createEtcdClient: (etcd) => (etcd.join() === storeOfThisProcess ? new DirectClient(store) : undefined),
        secrets: secretsOf(facts),
        asTenant: { pathPrefix: tenantPath(name), takeControl: control.resolve, start, records },
      },
    });
    const [aggregator] = servers;
    const running = servers.toReversed().map((server) =>
      assembly.open(
        server.name,
        () => runPart(server.name, (end, onStarted) => server.prepareRun().run(end, { onStarted })),
        (run) => run.stop(),
      ),
    );
    await Promise.all(running.map(({ started }) => started));
    const answer = await control.promise;
    if (name !== '') this.router.add(name, { request: aggregator.handler, upgrade: aggregator.upgrade });
    return { facts, answer, store, close: () => assembly.close() };
  }
}

/** Who the administrator is, and what service accounts' tokens are signed with: of this tenant alone. */
function secretsOf({ token }: TenantFacts): ServerSecrets {
  return serverSecrets(token, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
}

function call(method: string, path: string): ControlCall {
  return { method, path, query: new URLSearchParams(), body: '', signal: new AbortController().signal };
}
