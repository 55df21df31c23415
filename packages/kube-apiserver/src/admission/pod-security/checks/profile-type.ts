/** Profiles of AppArmor and seccomp that confine: the runtime's own, and those that a node has. */
export function isUnconfined(profile: { readonly type: string } | undefined): boolean {
  return profile !== undefined && profile.type !== 'RuntimeDefault' && profile.type !== 'Localhost';
}
