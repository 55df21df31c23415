import { LaunchError } from '../launch-error.ts';

/** Of `engines` in the published package. */
const required = { major: 22, minor: 19 };

/** @throws LaunchError `Usage` where the running Node (`22.19.0`) is too old for what would be loaded */
export function checkNode(running: string = process.versions.node): void {
  const [major = 0, minor = 0] = running.split('.').map(Number);
  if (major > required.major || (major === required.major && minor >= required.minor)) return;
  throw new LaunchError(
    'Usage',
    `kubechain needs Node ${required.major}.${required.minor} or later; this is v${running}`,
  );
}
