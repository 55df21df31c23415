import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What has V8 collect all garbage of the process. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new TypeError('V8 has no collector to call');
  return () => {
    collect();
  };
}
