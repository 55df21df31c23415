import { join } from 'node:path';
import {
  allControllers,
  Client,
  defaultControllerFlags,
  Http2Transport,
  selectControllers,
  startControllers,
  type ControllerDescriptor,
  type ControllerFlags,
  type RunningControllers,
} from '@kubechain/controllers';
import type { TimerClock } from '@kubechain/apimachinery';
import { startTestEnvironment, type TestEnvironment } from 'kubechain';
import { FunctionTimeoutError } from 'kubechain/testing';

export interface LiveClusterOptions {
  /** As `--controllers`. */
  readonly controllers: readonly string[];
  /** Further controllers, for what is not in the table. */
  readonly more?: readonly ControllerDescriptor[];
  /** Further flags of the servers. */
  readonly flags?: readonly string[];
  /** Flags of controllers, over the defaults. */
  readonly controllerFlags?: (defaults: ControllerFlags, env: TestEnvironment) => ControllerFlags;
  /** What must be there before controllers are. */
  readonly prepare?: (env: TestEnvironment) => Promise<void>;
  /** Who takes turns over leases other than the process's. Default: there are no turns. */
  readonly newElector?: Parameters<typeof startControllers>[0]['newElector'];
  /** A clock for all controllers; the servers keep the machine's. */
  readonly clock?: TimerClock;
}

/** A chain with controllers that run in the test's process, each with its own service account. */
export interface LiveCluster {
  readonly env: TestEnvironment;
  /** With full rights. */
  readonly client: Client;
  readonly controllers: RunningControllers;
  stop(): Promise<void>;
}

/** Starts servers, then controllers; resolves when controllers are running. */
export async function startLiveCluster(options: LiveClusterOptions): Promise<LiveCluster> {
  const env = await startTestEnvironment({
    topology: 'processes',
    serviceAccountAdmission: true,
    ...(options.flags === undefined ? {} : { flags: options.flags }),
  });
  const stop = new AbortController();
  const transport = new Http2Transport({ server: env.url, ca: env.caCertificate });
  const token = (): string => env.adminToken ?? '';
  const defaults = defaultControllerFlags();
  const flags: ControllerFlags = {
    ...defaults,
    lifecycle: {
      ...defaults.lifecycle,
      'root-ca-file': join(env.dataDir, 'pki/ca.crt'),
      'service-account-private-key-file': join(env.dataDir, 'pki/sa.key'),
      'cluster-signing-cert-file': join(env.dataDir, 'pki/ca.crt'),
      'cluster-signing-key-file': join(env.dataDir, 'pki/ca.key'),
    },
  };
  try {
    await options.prepare?.(env);
    const controllers = await startControllers({
      controllers: [...selectControllers(options.controllers, allControllers()), ...(options.more ?? [])],
      transport,
      token,
      anonymousTransport: transport,
      flags: options.controllerFlags?.(flags, env) ?? flags,
      signal: stop.signal,
      ...(options.newElector === undefined ? {} : { newElector: options.newElector }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
    });
    return {
      env,
      client: new Client({ transport, token, userAgent: 'live-cluster' }),
      controllers,
      stop: async () => {
        stop.abort();
        await controllers.done;
        transport.close();
        // Who stops does not wait for what was asked of a test's functions.
        const thrown = (await env.errors()).filter(({ error }) => !(error instanceof FunctionTimeoutError));
        await env.stop();
        if (thrown[0] !== undefined) throw thrown[0].error;
      },
    };
  } catch (error) {
    stop.abort();
    transport.close();
    await env.stop();
    throw error;
  }
}

/** Asks again until the answer is no longer undefined; @throws what was asked last, or that it took too long. */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false>,
  { withinMs = 5000, everyMs = 20 }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const startedMs = performance.now();
  let failure: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (performance.now() - startedMs > withinMs)
      throw failure instanceof Error ? failure : new Error(`nothing after ${withinMs} ms: ${ask.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
