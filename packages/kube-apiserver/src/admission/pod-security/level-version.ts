/** Levels of the Pod Security Standards, from what allows everything to the strictest. */
export const levels = ['privileged', 'baseline', 'restricted'] as const;

export type Level = (typeof levels)[number];

/** `latest`, or `v1.N` without leading zeros: one text for each version. */
export type PolicyVersion = string;

/** The checks of a level as they were in one minor version of Kubernetes. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** What Go's Atoi takes at most. */
const maxMinor = 2n ** 63n - 1n;

/** undefined for what is no level. */
export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

/** undefined for what is neither `latest` nor `v1.N`. */
export function parseVersion(text: string): PolicyVersion | undefined {
  if (text === 'latest') return text;
  const minor = /^v1\.(0|[1-9][0-9]*)$/u.exec(text)?.[1];
  return minor === undefined || BigInt(minor) > maxMinor ? undefined : text;
}

/** The N of `v1.N`; Infinity for `latest`. */
export function minorOf(version: PolicyVersion): number {
  return version === 'latest' ? Infinity : Number(version.slice('v1.'.length));
}

export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

/** `baseline:latest` */
export function levelVersionText({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

export function sameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}
