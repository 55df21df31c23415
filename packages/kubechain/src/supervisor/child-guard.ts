/**
 * Loaded before the entry of every child (`node --import`): ends the child when its parent is gone, however that
 * happened, so that no process is ever left behind. First as SIGTERM would, then, if that takes too long, at once.
 */
const GRACE_MS = 5000;

if (process.channel !== undefined) {
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Waiting for the parent must not keep a child alive that has ended its work.
  process.channel.unref();
}
