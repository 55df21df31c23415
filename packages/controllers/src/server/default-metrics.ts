import { collectDefaultMetrics, Registry } from 'prom-client';

/** A registry with what prom-client knows of a Node process. Observes the process from now on: make one. */
export function defaultMetrics(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}
