import { controlAddress } from '../control/control-address.ts';
import type { Assembly } from './assembly.ts';
import type { ListeningFlagValues, ServerEnvironment } from './assembly-input.ts';

/**
 * What ties the first server of a chain to the process of its tenants: nothing where there can be none, and then
 * nothing of it is loaded. @throws OptionsError
 */
export async function openTenantsLink(
  assembly: Assembly,
  { control }: ListeningFlagValues,
  start: (() => Promise<void>) | undefined,
): Promise<Pick<ServerEnvironment, 'tenants'>> {
  const address = control?.['tenants-from'] ?? '';
  if (address === '' || start === undefined) return {};
  const socketPath = controlAddress(address, 'tenants-from');
  const { RemoteTenants } = await import('../control/remote-tenants.ts');
  const keeper = assembly.open(
    'tenants',
    () => new RemoteTenants(socketPath, start),
    (opened) => {
      opened.close();
    },
  );
  await keeper.find();
  return { tenants: { keeper, router: keeper.router } };
}
