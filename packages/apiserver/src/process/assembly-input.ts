import type { AuditBackend, AuditHold } from '../audit/audit-event.ts';
import type { TakeAuditEvents } from '../audit/audit-relay.ts';
import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import type { StorageFactoryOptions } from '@kubechain/shared-storage/factory';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { ControlAnswer, ControlCall } from '../control/control-call.ts';
import type { TenantKeeper } from '../control/tenant-keeper.ts';
import type { ServerSecrets } from '../authentication/server-secrets.ts';
import type { admissionFlags, authenticationFlags, authorizationFlags } from '../options/authentication-flags.ts';
import type { ClockMover } from '../options/clock-mover.ts';
import type { etcdFlags } from '../options/etcd-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import type { featureFlags, genericFlags } from '../options/generic-flags.ts';
import type { metricsFlags } from '../options/metrics-flags.ts';
import type { auditFlags } from '../options/audit-flags.ts';
import type {
  controlFlags,
  delegateFlags,
  delegateListenFlags,
  faultFlags,
  loggingFlags,
} from '../options/process-flags.ts';
import type { tracingFlags } from '../options/tracing-flags.ts';
import type { servingFlags } from '../options/serving-flags.ts';
import type { PeerFaults } from '../peers/peer-faults.ts';
import type { TellWebhookCall, WebhookCallBoard } from '../peers/webhook-calls.ts';
import type { SideServer } from '../request/side-server.ts';
import type { DelegationTarget } from '../server/delegation-target.ts';
import type { TenantRouter } from '../server/tenant-router.ts';
import type { SharedRecords } from '@kubechain/shared-storage';
import type { Snapshot } from '@kubechain/shared-storage/snapshots';
import type { Assembly } from './assembly.ts';
import type { Commons } from './commons.ts';
import type { SharedParts } from './shared-parts.ts';
import type { HeapGauge } from '../watchdog/heap-gauge.ts';
import type { WorkObserver } from '../watchdog/loop-watchdog.ts';

/** Flags of everything that stores and listens. */
export interface ListeningFlagValues {
  readonly etcd: FlagValues<typeof etcdFlags>;
  readonly serving: FlagValues<typeof servingFlags>;
  readonly generic: FlagValues<typeof genericFlags>;
  readonly features: FlagValues<typeof featureFlags>;
  readonly audit: FlagValues<typeof auditFlags>;
  readonly traces: FlagValues<typeof tracingFlags>;
  readonly metrics?: FlagValues<typeof metricsFlags>;
  readonly logging?: FlagValues<typeof loggingFlags>;
  /** Of the first server of the chain. */
  readonly control?: FlagValues<typeof controlFlags>;
  /** Of those behind it. */
  readonly faults?: FlagValues<typeof faultFlags>;
}

/** Flags that every server of the chain has. */
export interface CommonFlagValues extends ListeningFlagValues {
  readonly authentication: FlagValues<typeof authenticationFlags>;
  readonly authorization: FlagValues<typeof authorizationFlags>;
  readonly admission: FlagValues<typeof admissionFlags>;
  /** The last server of the chain has no delegate. */
  readonly delegate?: FlagValues<typeof delegateFlags>;
  /** The first one has nobody in front. */
  readonly delegateListen?: FlagValues<typeof delegateListenFlags>;
}

/** Where a tenant is. */
export interface TenantPlace {
  /** What stands before its paths. */
  readonly pathPrefix: string;
  /** Is given what answers calls of its control API, which has no listener. */
  readonly takeControl: (answer: (call: ControlCall) => Promise<ControlAnswer>) => void;
  /** What its store holds at the start, where that is all that a chain begins with; then nobody adds to it. */
  readonly start?: Snapshot | undefined;
  /** The same, decoded once for all tenants. */
  readonly records?: SharedRecords | undefined;
}

/** Records requests that it answers in place of another server. */
export interface AuditSource {
  /** Says who takes its events. */
  recordTo(take: TakeAuditEvents): void;
}

/** What a server is given by whoever runs it, besides its flags. */
export interface ServerEnvironment {
  /** Of everything in the server: what it stamps, what it waits for, and its timers. */
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  /** Moves the clock, and those of the processes that belong to this one; absent where they cannot be moved. */
  readonly clockMover?: ClockMover;
  /** What calls of the process meet; absent where nobody can set faults. */
  readonly peerFaults?: PeerFaults;
  /** Told of calls of webhooks; absent where there is no journal. */
  readonly tellWebhookCall?: TellWebhookCall;
  /** Where the journal hears of calls of this process. */
  readonly webhookCalls?: WebhookCallBoard;
  /** Makes tenants, and finds them on the secure port; absent where there can be none. */
  readonly tenants?: { readonly keeper: TenantKeeper; readonly router: TenantRouter };
  /** The server is a tenant's. */
  readonly asTenant?: TenantPlace;
  /** Who its administrator is and what tokens are signed with, in place of files. */
  readonly secrets?: ServerSecrets;
  /** What it has in common with servers that are made alike; absent where it is the only one. */
  readonly commons?: Commons;
  /** Watches over the event loop while there is work; absent where nobody does. */
  readonly watchdog?: WorkObserver | undefined;
  /** Tells whether there is room for more objects; absent where nobody looks. */
  readonly heap?: HeapGauge | undefined;
  /** Answers requests whose bodies or objects are very large; absent where the server answers them itself. */
  readonly sideServer?: SideServer | undefined;
  /** The same, where it is to be told who takes the events that it records. */
  readonly auditedAside?: AuditSource | undefined;
  /** The server records for another thread, which has the audit log and the webhook: takes the events to it. */
  readonly auditRelay?: ((holds: AuditHold) => AuditBackend) | undefined;
  /**
   * The server is the side server of another one, which connects there; nobody else does, and what a cluster needs one
   * of is that one's.
   */
  readonly sideSocket?: string | undefined;
  /** Aborts when the server is to stop. */
  readonly signal: AbortSignal;
  /** Tells names and values of all flags, for /flagz; default: none are shown. */
  readonly flags?: () => ReadonlyMap<string, string>;
  /** The next server where it runs in the same process, in place of --delegate. Its owner closes it. */
  readonly delegate?: DelegationTarget;
  /** What the servers of the process have in common, in place of what each would open itself. */
  readonly shared?: SharedParts;
  /** Where the server counts; default: a registry of its own. */
  readonly metrics?: MetricRegistry;
  /** Makes a client of the store where that runs in the same process, in place of the one of --etcd-servers. */
  readonly createEtcdClient?: StorageFactoryOptions['createClient'];
}

/** A server's flags, where its parts are kept, and what it is given. */
export interface AssemblyInput<Values extends ListeningFlagValues = CommonFlagValues> {
  readonly assembly: Assembly;
  readonly values: Values;
  readonly environment: ServerEnvironment;
}
