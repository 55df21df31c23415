import type { TimerClock } from '@kubechain/apimachinery';
import type { Logger } from '@kubechain/apiserver/logging';
import type { Client } from '../client/client.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { ServedResources } from '../discovery/served-resources.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { InformerFactory } from '../informers/informer-factory.ts';
import type { ControllerFlags } from '../options/controller-flags.ts';
import type { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';

/** A running controller: works until `signal` aborts, then resolves. Informers are started after `make` has run. */
export interface Controller {
  run(signal: AbortSignal): Promise<void>;
}

/** Takes turns with others of its name. */
export interface Elector {
  /** Resolves when this one leads (true), or `signal` aborts (false). */
  acquire(signal: AbortSignal): Promise<boolean>;
  /** Resolves when it does not lead any more, or has given that back because `signal` aborted. */
  hold(signal: AbortSignal): Promise<'lost' | 'released'>;
}

/** What a controller is made with. Everything comes from here: a test can replace each part. */
export interface ControllerContext {
  /** With the controller's own identity and rate limit. */
  readonly client: Client;
  /** Shared by all controllers, with the process's identity; ask for informers in `make`. */
  readonly informers: InformerFactory;
  readonly discovery: Discovery;
  /** What the servers had when the process began. */
  readonly served: ServedResources;
  /** Numbers from 0 up to, not including, 1. */
  readonly random: () => number;
  /** The only source of time and timers. */
  readonly clock: TimerClock;
  readonly log: Logger;
  /** Where work queues are counted. Default: nowhere. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
  /** Values of the flags, by set and name: `flags.concurrency['concurrent-endpoint-syncs']`. */
  readonly flags: ControllerFlags;
  /** For what is a program of its own in the reference, with a lease of its own. Absent: it always works. */
  readonly newElector?: ((lease: string) => Elector) | undefined;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
  /** Writes events with the controller's identity under a component's name. */
  recorder(component: string): EventRecorder;
}

/** Controllers that are chosen together by `--controllers=GROUP`. */
export type ControllerGroup = 'lifecycle' | 'workloads' | 'nodes' | 'storage';

/** One controller as data. */
export interface ControllerDescriptor {
  /** kube-controller-manager's name, e.g. `endpoints-controller`. */
  readonly name: string;
  /** Older names that `--controllers` takes too. */
  readonly aliases: readonly string[];
  /** Runs with `--controllers=*`. */
  readonly onByDefault: boolean;
  readonly group: ControllerGroup;
  /**
   * Its service account in kube-system, to which the bootstrap role system:controller:… is bound; undefined acts as the
   * process.
   */
  readonly serviceAccount: string | undefined;
  /**
   * Plays a part of a cluster that is no controller: acts with the identity for that, without a limit. Default:
   * false.
   */
  readonly simulates?: boolean;
  /** Times the limit that `--kube-api-qps` and `--kube-api-burst` set. */
  readonly limitFactor?: { readonly qps: number; readonly burst: number };
  /**
   * Makes the controller, and asks for its informers; undefined when its flags say that it has nothing to do. Loads its
   * module when it is called.
   */
  make(context: ControllerContext): Promise<Controller | undefined>;
}
