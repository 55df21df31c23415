import type { Launcher } from './ask-launcher.ts';

/** Of the one that started a process: the process of the tenants is to run. Answered, with nothing, when it does. */
export interface StartTenantsQuestion {
  readonly ask: 'start-tenants';
}

/** Has the process of the tenants started by the one that started this process, where it does not run yet. */
export function tenantStarterOf(launcher: Launcher): () => Promise<void> {
  return async () => {
    await launcher.ask<StartTenantsQuestion, undefined>({ ask: 'start-tenants' }, 'the tenants were not started');
  };
}
