import type { GivenFlag } from './route-flags.ts';
import type { ServerName } from './server-process.ts';

/** `chain`: a process for each server. `all-in-one`: all of them on one thread. */
export const TOPOLOGIES = ['chain', 'all-in-one'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** The process that a debugger is to be attached to. */
export interface DebuggedProcess {
  readonly name: ServerName | 'etcd';
  /** Of its inspector, on 127.0.0.1. */
  readonly port: number;
  /** Requests at which it stops, as --debug-break-on. */
  readonly breakOn?: string;
}

/** What `kubechain up` is asked for. */
export interface ChainOptions {
  readonly dataDir: string;
  /** HTTPS port of the process that clients talk to. */
  readonly securePort: number;
  /** Whether the user chose the port: then `only` servers other than the aggregator listen on it too. */
  readonly securePortGiven: boolean;
  /** Processes, or everything on one thread of the launcher; default processes. */
  readonly topology?: Topology;
  /** A real etcd; absent = the embedded store. */
  readonly etcdServers?: string;
  /** What the embedded store may hold, in bytes, as etcd's `--quota-backend-bytes`; absent: etcd's default, 2 GiB. */
  readonly quotaBytes?: number;
  /** How long its processes may take to be ready, 0: as long as it takes. Absent: by what is stored. */
  readonly readyTimeoutMs?: number;
  /** First port of the Node inspectors; absent = none. */
  readonly inspectPort?: number;
  /** One process with an inspector, and the others patient; absent = none. */
  readonly debug?: DebuggedProcess;
  readonly only?: ServerName;
  /**
   * Controllers that run beside the servers, in the words of kube-controller-manager's `--controllers`, or a group's
   * name. Absent or `none`: no process for them.
   */
  readonly controllers?: string;
  /** The control API is served. */
  readonly control?: boolean;
  /** Two chains with the same one answer the same calls alike. Needs `control`. Absent: each run is another. */
  readonly seed?: number;
  /** File of a snapshot: what is stored when the chain is ready. Needs `control`. Absent: what was stored before. */
  readonly fromSnapshot?: string;
  /** Port of the chain's page, 0: a free one. Absent: there is none. */
  readonly ui?: number;
  /** kube-apiserver flags to pass on. */
  readonly serverFlags: readonly GivenFlag[];
}
