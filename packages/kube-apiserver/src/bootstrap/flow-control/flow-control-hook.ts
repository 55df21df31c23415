import { Logger } from '@kubechain/apiserver/logging';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import { messageOf } from '@kubechain/apimachinery';
import { repeat } from '../repeat.ts';
import { ensureFlowControlConfiguration, type FlowControlStores } from './ensure-configuration.ts';
import { FlowSchemaStatusKeeper } from './flow-schema-status.ts';

const log = new Logger('flow control');
const ensureIntervalMs = 60_000;

export interface FlowControlHookOptions extends FlowControlStores {
  /** Whether the conditions of flow schemas are kept up: when nobody applies them, nobody says how they do. */
  readonly keepStatus: boolean;
}

/**
 * The hook that creates the default configuration and keeps it up, once a minute; with it the conditions of flow
 * schemas.
 */
export function addFlowControlHook(
  server: GenericAPIServer,
  { levels, schemas, keepStatus }: FlowControlHookOptions,
): void {
  const warn =
    (what: string) =>
    (error: unknown): void => {
      log.warning(what, { error: messageOf(error) });
    };
  server.addPostStartHook('priority-and-fairness-config-producer', async ({ signal }) => {
    await repeat(() => ensureFlowControlConfiguration({ levels, schemas }, signal), {
      intervalMs: ensureIntervalMs,
      retryMs: 1_000,
      clock: server.config.clock,
      signal,
      onError: warn('default configuration'),
    });
    if (!keepStatus || signal.aborted) return;
    const keeper = new FlowSchemaStatusKeeper({
      levels,
      schemas,
      clock: server.config.clock,
      random: server.config.randomness.random,
      onError: warn('conditions of flow schemas'),
    });
    keeper.start();
    signal.addEventListener(
      'abort',
      () => {
        keeper.stop();
      },
      { once: true },
    );
  });
}
