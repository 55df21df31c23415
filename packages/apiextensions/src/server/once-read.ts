/**
 * Resolves when `synced` does, unless the server has been told to stop by then: waiting ends with that as well, and a
 * server that has not read its definitions must not say of any resource that there is none. Then it never resolves.
 */
export function onceRead(synced: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    synced.then(() => {
      if (!signal.aborted) resolve();
    }, reject);
  });
}
