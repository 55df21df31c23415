import { readFlagFile } from '@kubechain/apiserver/options';
import { ShownCertificate, type AssemblyInput, type Config, type OpenedStorage } from '@kubechain/apiserver/servers';
import type { AggregatorValues } from './aggregator-values.ts';

/** The control API, where --control-listen asks for it; loaded only then. @throws OptionsError */
export async function openControl(
  { assembly, environment, values }: AssemblyInput<AggregatorValues>,
  storage: OpenedStorage,
): Promise<Pick<Config, 'control'>> {
  const address = values.control['control-listen'];
  const { asTenant } = environment;
  if (address === '' && asTenant === undefined) return {};
  const certificate = new ShownCertificate();
  const { answerControlCall, Control, ControlListener, controlAddress, withoutFaults } =
    await import('@kubechain/apiserver/control');
  const control = new Control({
    clock: environment.clock,
    randomness: environment.randomness,
    client: withoutFaults(storage.factory.client),
    clockMover: environment.clockMover,
    tenants: environment.tenants?.keeper,
    peerFaults: environment.peerFaults,
    webhookCalls: environment.webhookCalls,
    start: asTenant?.start,
    serviceAccountKey: () => serviceAccountKey(environment, values),
    showExpiredCertificate: asTenant === undefined ? showExpired(certificate, values) : undefined,
    followed: environment.delegate === undefined && values.delegate.delegate !== '',
  });
  assembly.open(
    'faults',
    () => control,
    ({ faults, scenarios }) => {
      scenarios.clear();
      faults.clear();
    },
  );
  if (asTenant === undefined) {
    const path = controlAddress(address);
    const listener = assembly.open(
      'control API',
      () => new ControlListener(control),
      (opened) => {
        opened.close();
      },
    );
    await listener.listen(path);
  } else asTenant.takeControl((call) => answerControlCall(control, call));
  return { control: { filter: control.filter, record: control.journal.record, certificate } };
}

/** Whoever begins with a snapshot of this chain knows the tokens that are in it. @throws OptionsError */
function serviceAccountKey(
  { secrets }: AssemblyInput<AggregatorValues>['environment'],
  { authentication }: AggregatorValues,
): string | undefined {
  if (secrets !== undefined) return secrets.signing.key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const file = authentication['service-account-signing-key-file'];
  return file === '' ? undefined : readFlagFile(file, 'service-account-signing-key-file').toString();
}

/** By the file that kubechain has made for it, which is read when it is wanted. @throws OptionsError */
function showExpired(
  certificate: ShownCertificate,
  { control }: AggregatorValues,
): ((shown: boolean) => void) | undefined {
  const file = control['expired-tls-cert-file'];
  if (file === '') return undefined;
  const pem = readFlagFile(file, 'expired-tls-cert-file').toString();
  return (shown) => {
    certificate.show(shown ? pem : undefined);
  };
}
