import { controlAddress } from '../control/control-address.ts';
import { followPeerFaults } from '../peers/follow-peer-faults.ts';
import { PeerFaults } from '../peers/peer-faults.ts';
import type { ListeningFlagValues } from './assembly-input.ts';

/**
 * The faults that calls of this process meet: kept here where the control API is served, followed where it is served by
 * the server in front; undefined where neither is. @throws OptionsError
 */
export function openPeerFaults({ control, faults }: ListeningFlagValues, signal: AbortSignal): PeerFaults | undefined {
  const address = faults?.['faults-from'] ?? '';
  if (address === '') return (control?.['control-listen'] ?? '') === '' ? undefined : new PeerFaults();
  const followed = new PeerFaults();
  void followPeerFaults(followed, {
    name: String(process.pid),
    signal,
    socketPath: controlAddress(address, 'faults-from'),
  });
  return followed;
}
