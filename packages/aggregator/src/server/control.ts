import type { AssemblyInput, Config, OpenedStorage } from '@kubechain/apiserver/servers';
import type { AggregatorValues } from './aggregator-values.ts';

/** The control API, where --control-listen asks for it; loaded only then. @throws OptionsError */
export async function openControl(
  { assembly, environment, values }: AssemblyInput<AggregatorValues>,
  storage: OpenedStorage,
): Promise<Pick<Config, 'control'>> {
  const address = values.control['control-listen'];
  if (address === '') return {};
  const { Control, ControlListener, controlAddress, withoutFaults } = await import('@kubechain/apiserver/control');
  const path = controlAddress(address);
  const control = new Control({
    clock: environment.clock,
    randomness: environment.randomness,
    client: withoutFaults(storage.factory.client),
    clockMover: environment.clockMover,
    peerFaults: environment.peerFaults,
    webhookCalls: environment.webhookCalls,
    followed: environment.delegate === undefined && values.delegate.delegate !== '',
  });
  const listener = assembly.open(
    'control API',
    () => new ControlListener(control),
    (opened) => {
      control.scenarios.clear();
      control.faults.clear();
      opened.close();
    },
  );
  await listener.listen(path);
  return { control: { filter: control.filter, record: control.journal.record } };
}
