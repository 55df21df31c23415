import { collectProcessMetrics } from '@kubechain/apiserver/metrics';
import { Registry } from 'prom-client';

/** A registry with what is known of this process. Observes the process from now on: make one. */
export function defaultMetrics(): Registry {
  const register = new Registry();
  collectProcessMetrics(register);
  return register;
}
