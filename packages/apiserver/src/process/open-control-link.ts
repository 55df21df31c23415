import { controlAddress } from '../control/control-address.ts';
import { ask } from '../peers/ask-control.ts';
import { followPeerFaults } from '../peers/follow-peer-faults.ts';
import { PeerFaults } from '../peers/peer-faults.ts';
import { WebhookCallBoard, type TellWebhookCall } from '../peers/webhook-calls.ts';
import type { ListeningFlagValues, ServerEnvironment } from './assembly-input.ts';

/** How long the journal may take to note a call, ms. */
const longestNoteMs = 2_000;

type ControlLink = Pick<ServerEnvironment, 'peerFaults' | 'tellWebhookCall' | 'webhookCalls'>;

/**
 * What ties this process to the control API: kept here where that is served, followed where it is served by the server
 * in front; nothing where neither is. @throws OptionsError
 */
export function openControlLink({ control, faults }: ListeningFlagValues, signal: AbortSignal): ControlLink {
  const address = faults?.['faults-from'] ?? '';
  if (address === '') return (control?.['control-listen'] ?? '') === '' ? {} : controlLinkOfProcess();
  const followed = new PeerFaults();
  const socketPath = controlAddress(address, 'faults-from');
  void followPeerFaults(followed, { name: String(process.pid), signal, socketPath });
  return { peerFaults: followed, tellWebhookCall: tellOver(socketPath) };
}

/** For a process that serves the control API itself. */
export function controlLinkOfProcess(): Required<ControlLink> {
  const webhookCalls = new WebhookCallBoard();
  return { peerFaults: new PeerFaults(), webhookCalls, tellWebhookCall: webhookCalls.tell };
}

function tellOver(socketPath: string): TellWebhookCall {
  return async (call) => {
    const signal = AbortSignal.timeout(longestNoteMs);
    const body = JSON.stringify(call);
    // The journal lacks the call then; the request that it belongs to goes on.
    await ask(socketPath, { method: 'POST', path: '/v1/journal/webhooks', signal, body }).catch(() => undefined);
  };
}
