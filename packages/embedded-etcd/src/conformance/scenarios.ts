import { kvScenarios } from './kv-scenarios.ts';
import { leaseScenarios } from './lease-scenarios.ts';
import type { Entry, Scenario } from './recorder.ts';
import { Recorder } from './recorder.ts';
import { txnScenarios } from './txn-scenarios.ts';
import { watchScenarios } from './watch-scenarios.ts';
import { RawClient } from '../testing/raw-client.ts';

/** All scenarios by golden file. */
export const scenarioFiles: readonly { readonly file: string; readonly scenarios: readonly Scenario[] }[] = [
  { file: 'kv', scenarios: kvScenarios },
  { file: 'txn', scenarios: txnScenarios },
  { file: 'watch', scenarios: watchScenarios },
  { file: 'lease', scenarios: leaseScenarios },
];

/** Runs a scenario against the server at `endpoint`, whose store must be empty. */
export async function record(scenario: Scenario, endpoint: string): Promise<Entry[]> {
  const client = new RawClient(endpoint);
  const recorder = new Recorder(client);
  try {
    await scenario.run(recorder);
  } finally {
    recorder.close();
    client.close();
  }
  return recorder.entries;
}
