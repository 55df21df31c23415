/** What the process lets pods ask for (pkg/capabilities, 1.36): set once at the start, before anything is served. */
let privileged = false;

/** --allow-privileged */
export function setCapabilities(options: { readonly allowPrivileged: boolean }): void {
  privileged = options.allowPrivileged;
}

/** Whether containers may be privileged. */
export function allowsPrivileged(): boolean {
  return privileged;
}
