import type { ChainTime } from '../control/chain-time.ts';
import type { Faults } from '../control/faults.ts';
import type { ReplayResult } from '../control/replay-traffic.ts';
import type { RequestJournal } from '../control/request-journal.ts';
import type { Snapshots } from '../control/snapshots.ts';
import type { ServerProcess } from '../chain/server-process.ts';
import type { TestUser } from './add-user.ts';
import type { KubeConfigData } from './client-config.ts';
import type { APIFunctionServer } from './functions/api-function-server.ts';
import type { FunctionError } from './functions/function-errors.ts';
import type { RightsFunctions } from './functions/rights.ts';
import type { Webhooks } from './functions/webhooks.ts';
import type { TestTenant } from './tenant.ts';

/** What an environment is like; without any: an empty cluster on this machine. */
export interface TestEnvironmentOptions extends RightsFunctions {
  /**
   * Installed before the environment is there, and served: files, folders, or YAML text. `['config/crd']`. Default:
   * nothing.
   */
  readonly crds?: readonly string[];
  /** kube-apiserver's flags, as for `kubechain up`, e.g. `['--feature-gates=…']`. */
  readonly flags?: readonly string[];
  /**
   * `all-in-one`: store and servers on a thread of this process, objects in memory; starts fastest. `processes`: the
   * chain as `kubechain up` runs it. Default: `all-in-one`.
   */
  readonly topology?: 'all-in-one' | 'processes';
  /**
   * Controllers that run beside the servers, as `kubechain up --controllers`: `['lifecycle']`, `['*']`,
   * `['namespace']`. Default: none, the bare API.
   */
  readonly controllers?: readonly string[];
  /**
   * Whether pods need service accounts, which without controllers nobody makes. Default: false, as in envtest. `flags`
   * that enable or disable admission plugins decide for themselves.
   */
  readonly serviceAccountAdmission?: boolean;
  /**
   * Whether `snapshots`, `faults` and `journal` are there (the control API). Default: false, and then they cost
   * nothing.
   */
  readonly control?: boolean;
  /**
   * Two environments with the same one answer the same calls alike: uids, generated names, addresses, ports, times,
   * resourceVersions. The clock stands still, from always the same moment on, until it is moved. Brings `control`.
   */
  readonly seed?: number;
  /** A file that `snapshots.writeFile` has written: what the environment holds when it is there. Needs `control`. */
  readonly fromSnapshot?: string;
  /** A real etcd instead of the embedded store. */
  readonly etcdServers?: string;
  /** Kept when given, with all objects; otherwise a temporary directory that `stop` removes. */
  readonly dataDir?: string;
  /** Default: a free one. */
  readonly securePort?: number;
  /** For specs of this package: other programs in the servers' place. */
  readonly servers?: readonly ServerProcess[];
}

/** A running API server for tests. */
export interface TestEnvironment extends AsyncDisposable {
  readonly url: string;
  /** Path of a kubeconfig with full rights. */
  readonly kubeconfig: string;
  /** The text of that file. */
  readonly kubeconfigText: string;
  /** The same for @kubernetes/client-node: `new KubeConfig().loadFromOptions(env.kubeConfig)`. */
  readonly kubeConfig: KubeConfigData;
  /** Bearer token with full rights; absent when `flags` bring a token file of their own. */
  readonly adminToken: string | undefined;
  /** PEM of the CA that signed the server's certificate. */
  readonly caCertificate: string;
  readonly dataDir: string;
  /**
   * A user with a client certificate, known by name and groups alone; `system:serviceaccount:NAMESPACE:NAME` with a
   * token of that service account, which is made where it is not there. What they may do is up to RBAC.
   */
  addUser(name: string, groups?: readonly string[]): Promise<TestUser>;
  /**
   * Applies YAML or JSON text, a file, or the files of a folder, and waits until custom resources are served.
   * @throws LaunchError that names the object
   */
  install(...sources: readonly string[]): Promise<void>;
  /** Webhooks of admission and conversion that are functions of the test. */
  readonly webhooks: Webhooks;
  /** Aggregated APIs that are functions of the test. */
  readonly apis: APIFunctionServer;
  /**
   * What functions have thrown, and their time-outs, since this was asked last. What nobody asks for is thrown by
   * `stop`.
   */
  errors(): Promise<readonly FunctionError[]>;
  /** States that are saved and put back. Of environments with `control`. @throws LaunchError for others */
  readonly snapshots: Snapshots;
  /** Faults that requests meet. Of environments with `control`. @throws LaunchError for others */
  readonly faults: Faults;
  /** The time of everything in the chain. Of environments with `control`. @throws LaunchError for others */
  readonly clock: ChainTime;
  /** What was asked, and what came of it. Of environments with `control`. @throws LaunchError for others */
  readonly journal: RequestJournal;
  /**
   * Sends the requests of a recording (`journal.text('jsonl', { bodies: true })`: its text, or a file of it) with full
   * rights, and compares the answers. @throws LaunchError for what is no recording
   */
  replay(recording: string): Promise<ReplayResult>;
  /**
   * Another environment from the state of this one: its objects, keys and time, on a store and a port of its own. Users
   * and their tokens are known to both, the administrator's token is not. Of environments with `control`. @throws
   * LaunchError for others
   */
  fork(): Promise<TestEnvironment>;
  /**
   * A chain of its own on the port of this one, for a test or a file of tests, without a process of its own. Of
   * environments with `control`. @throws LaunchError for others, and for a name that is none or is taken
   */
  tenant(name: string): Promise<TestTenant>;
  /** What the servers have logged so far; or one of them, where they are processes (`kube-apiserver`). */
  logs(server?: string): string;
  /**
   * Ends everything and removes what was temporary. Idempotent. @throws what functions have thrown and nobody has
   * asked for
   */
  stop(): Promise<void>;
}
