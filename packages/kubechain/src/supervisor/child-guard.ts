import { url as inspectorURL } from 'node:inspector';
import { collectAtRest } from './collect-at-rest.ts';

/**
 * Loaded before the entry of every child (`node --import`): ends the child when its parent is gone, however that
 * happened, so that no process is ever left behind: first as SIGTERM would, then, if that takes too long, at once.
 * Answers the parent's pings from the event loop, watches over that loop where the child does not by itself, and has
 * garbage collected when the child is at rest.
 */
const GRACE_MS = 5000;
/** Starting comes first. */
const WATCH_AFTER_MS = 1_000;

// A log that cannot be written, on a full disk, is no reason to end: what can be read must be served.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

if (process.channel !== undefined) {
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  process.on('message', (message: { readonly kind?: unknown }) => {
    if (message.kind === 'ping') process.send?.({ kind: 'pong', debugged: inspectorURL() !== undefined });
  });
  // Waiting for the parent must not keep a child alive that has ended its work.
  process.channel.unref();
}

const endAfterMs = Number(process.env['KUBECHAIN_WATCHDOG_MS'] ?? '');
if (endAfterMs > 0) {
  delete process.env['KUBECHAIN_WATCHDOG_MS'];
  setTimeout(() => {
    void import('@kubechain/apiserver/watchdog').then(({ EventLoopWatchdog }) => {
      new EventLoopWatchdog({ endAfterMs }).start();
    });
  }, WATCH_AFTER_MS).unref();
}

collectAtRest();
