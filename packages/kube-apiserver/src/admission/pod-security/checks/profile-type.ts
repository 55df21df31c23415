/** Whether a profile of AppArmor or seccomp is neither the runtime's own nor one that the node has. */
export function isUnconfined(profile: { readonly type: string } | undefined): boolean {
  return profile !== undefined && profile.type !== 'RuntimeDefault' && profile.type !== 'Localhost';
}
