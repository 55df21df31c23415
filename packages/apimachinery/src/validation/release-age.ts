/** How old the release is whose rules an object is held to; `Release` is one. */
export interface ReleaseAge {
  /** Whether the release is this one or a later one: `since('1.37')`. */
  since(version: string): boolean;
}

/** Before every rule that came later than the release of the checked-in tables, 1.36. */
export const ageOfBuiltinRelease: ReleaseAge = {
  since: (version) => Number(version.slice(version.indexOf('.') + 1)) <= 36,
};
