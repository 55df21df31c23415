import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
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
import { controlLinkOfProcess, TenantRouter, tenantPath } from '@kubechain/apiserver/servers';
import { openEmbeddedStore } from '@kubechain/embedded-etcd';
import { restoreSnapshot, takeSnapshot, type Snapshot } from '@kubechain/shared-storage/snapshots';
import type { GivenFlag } from '../chain/route-flags.ts';
import { writePrivateFile } from '../pki/key-pair-files.ts';
import { assembleAllInOne } from './assemble.ts';
import { DirectClient } from './direct-client.ts';
import { storeOfThisProcess } from './open-store.ts';
import { runPart } from './run-part.ts';

/** What tenants have of the chain that they belong to. */
export interface TenantsOptions {
  /** Keys and tokens of a tenant are in a folder of its name, while it is there. */
  readonly folder: string;
  /** Of the chain. */
  readonly url: string;
  readonly clock: TimerClock;
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
  readonly close: () => Promise<void>;
}

/** Flags of the chain alone: where it listens, who its clients are, where it stores and what it writes. */
const ofTheChain =
  /^(?:control-listen|observe-listen|secure-port|insecure-.*|token-auth-file|client-ca-file|etcd-.*|requestheader-.*|tls-.*|cert-dir|service-account-.*key-file|audit-log-.*|audit-webhook-.*)$/;

/**
 * The tenants of a chain whose servers run in this process: each is three servers of its own over a store of its own in
 * memory, reached by the chain's port. They share code, schemas and documents with it, the clock, and nothing else.
 */
export class Tenants implements TenantKeeper {
  readonly router = new TenantRouter();
  readonly #options: TenantsOptions;
  readonly #tenants = new Map<string, Promise<Tenant>>();
  readonly #ready = new Map<string, TenantFacts>();
  /** What a tenant holds when it begins, as the first one has made it. */
  #first: Snapshot | undefined;

  constructor(options: TenantsOptions) {
    this.#options = options;
  }

  list(): readonly TenantFacts[] {
    return [...this.#ready.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
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

  answer(name: string, call: ControlCall): Promise<ControlAnswer> | undefined {
    return this.#tenants.get(name)?.then((tenant) => tenant.answer(call));
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#tenants.keys()].map((name) => this.remove(name)));
  }

  async #open(name: string): Promise<Tenant> {
    const assembly = new Assembly();
    try {
      return await this.#assemble(assembly, name);
    } catch (error) {
      await assembly.close();
      throw error;
    }
  }

  async #assemble(assembly: Assembly, name: string): Promise<Tenant> {
    const { clock, defaults, given, randomness, seed, signal, url } = this.#options;
    const folder = assembly.open(
      'folder',
      () => makeFolder(join(this.#options.folder, name)),
      (path) => {
        rmSync(path, { recursive: true, force: true });
      },
    );
    const store = assembly.open(
      'store',
      () => openEmbeddedStore({ dataFile: ':memory:', ...(clock instanceof MovableClock ? { clock } : {}) }),
      (opened) => {
        opened.close();
      },
    );
    const client = new DirectClient(store);
    if (this.#first !== undefined) await restoreSnapshot(client, this.#first);
    const facts = { name, url: `${url}${tenantPath(name)}`, token: randomBytes(24).toString('base64url') };
    const control = Promise.withResolvers<Tenant['answer']>();
    const servers = await assembleAllInOne({
      assembly,
      given: given.filter((flag) => !ofTheChain.test(flag.name)),
      defaults: new Map([...[...defaults].filter(([flag]) => !ofTheChain.test(flag)), ...secretsIn(folder, facts)]),
      environment: {
        clock,
        randomness: seed === undefined ? randomness : seededRandomness(seed, `tenant ${name}`),
        signal,
        ...controlLinkOfProcess(),
        createEtcdClient: (etcd) => (etcd.join() === storeOfThisProcess ? new DirectClient(store) : undefined),
        asTenant: { pathPrefix: tenantPath(name), takeControl: control.resolve },
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
    if (seed === undefined) this.#first ??= await takeSnapshot(client);
    else await answer(call('POST', '/v1/settle'));
    await answer(call('PUT', '/v1/snapshots/start'));
    this.router.add(name, { request: aggregator.handler, upgrade: aggregator.upgrade });
    return { facts, answer, close: () => assembly.close() };
  }
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Who the administrator is, and what service accounts' tokens are signed with: of this tenant alone. */
function secretsIn(folder: string, { token }: TenantFacts): [flag: string, value: string][] {
  const tokens = join(folder, 'tokens.csv');
  writePrivateFile(tokens, `${token},admin,admin,system:masters\n`);
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = join(folder, 'sa.key');
  const publicKey = join(folder, 'sa.pub');
  writePrivateFile(privateKey, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  writePrivateFile(publicKey, keys.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  return [
    ['etcd-servers', storeOfThisProcess],
    ['secure-port', '0'],
    ['token-auth-file', tokens],
    ['service-account-key-file', publicKey],
    ['service-account-signing-key-file', privateKey],
  ];
}

function call(method: string, path: string): ControlCall {
  return { method, path, query: new URLSearchParams(), body: '', signal: new AbortController().signal };
}
