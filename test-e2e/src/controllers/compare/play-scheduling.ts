import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from '../live-cluster.ts';
import { priorityClasses, type SchedulingScenario } from './scheduling-scenarios.ts';
import { SchedulingStage } from './scheduling-stage.ts';

/** A cluster for scheduling scenarios: no nodes but theirs, and nobody who makes or ends pods. */
export async function startScheduling(controllers: readonly string[]): Promise<LiveCluster> {
  const cluster = await startLiveCluster({
    controllers: ['serviceaccount', ...controllers],
    controllerFlags: (defaults, { kubeconfig }) => ({
      ...defaults,
      simulation: { ...defaults.simulation, 'simulation-kubeconfig': kubeconfig },
    }),
  });
  for (const each of priorityClasses)
    await cluster.client.resource(resources.priorityclasses).create(each as PriorityClass);
  return cluster;
}

/** Plays a scenario in a namespace of its own, one at a time in a cluster, and says how it ended; sooner where it ends as expected. */
export async function playScheduling(
  { client }: LiveCluster,
  { name, play }: SchedulingScenario,
  { expected, number }: { readonly number: number; readonly expected?: readonly string[] | undefined },
): Promise<readonly string[]> {
  const namespace = `s${number}`;
  await client.resource(resources.namespaces).create({ metadata: { name: namespace } });
  await eventually(() => client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }), {
    withinMs: 60_000,
  });
  const stage = new SchedulingStage(client, namespace);
  try {
    await play(stage);
    return await settled(stage, expected);
  } catch (error) {
    throw new Error(`${name}: ${JSON.stringify(await stage.observe(), undefined, 1)}`, { cause: error });
  } finally {
    await stage.clear();
  }
}

/**
 * What is observed as soon as it is what is expected, or else once nothing has changed for three seconds: events come
 * after what they tell of, and some pods are tried again after a second.
 */
async function settled(stage: SchedulingStage, expected?: readonly string[]): Promise<readonly string[]> {
  let last = await stage.observe();
  const isExpected = (): boolean => JSON.stringify(last) === JSON.stringify(expected);
  for (let quiet = 0; quiet < 12 && !isExpected();) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const next = await stage.observe();
    quiet = JSON.stringify(next) === JSON.stringify(last) ? quiet + 1 : 0;
    last = next;
  }
  return last;
}
