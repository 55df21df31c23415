/** What the server lets pods ask for (pkg/capabilities, 1.36). */
export interface Capabilities {
  /** Containers may be privileged, and Windows ones may be of their host (--allow-privileged). */
  readonly allowPrivileged: boolean;
}
