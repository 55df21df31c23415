import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { webhookSchemeName } from '@kubechain/apiserver/resources';

/** By transcript, then by step: what another release of kube-apiserver answers otherwise than the recorded one. */
export type ReleaseAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Step {
  readonly id?: string;
  readonly response?: unknown;
}

interface Transcript {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Where the answers of a release are kept. */
export function answersFile(release: string): string {
  return join(import.meta.dirname, `../../release-answers/${release}.json`);
}

/** Where a scheme was made, by which Go names it: a path that a build of modules writes otherwise than a release's. */
const schemeName = /(in scheme \\")[^"\\]+/g;

/** What a build of modules calls the scheme that answers of webhooks are read with, and what a release's build does. */
const ofModules = 'in scheme \\"pkg/runtime/scheme.go:111';
const ofRelease = `in scheme \\"${webhookSchemeName}`;

/** An answer with the names of schemes of another one, or of a release's build where the other shows none. */
function withSchemesOf(answer: unknown, other: unknown): unknown {
  const names = [...(JSON.stringify(other) ?? '').matchAll(schemeName)].map(([name]) => name);
  let next = 0;
  const named = (name: string): string => names[next++] ?? (name === ofModules ? ofRelease : name);
  return JSON.parse((JSON.stringify(answer) ?? 'null').replaceAll(schemeName, named)) as unknown;
}

/**
 * What a release answers otherwise. Names of schemes in texts do not count: they are those of the recorded release.
 * @param recorded folder with the transcripts as `replay.mjs --record` has written them, by name
 * @param fixtures folder of areas with the transcripts of the recorded release
 */
export function answersOtherwise(recorded: string, fixtures: string): ReleaseAnswers {
  const answers: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const path of transcriptFiles(fixtures))
    for (const { name, steps } of transcriptsIn(join(fixtures, path))) {
      const file = join(recorded, `${name}.json`);
      if (!existsSync(file)) continue;
      const other = new Map(
        transcriptsIn(file).flatMap((found) => found.steps.map((step) => [step.id, step.response])),
      );
      const changed = steps.filter(
        ({ id, response }) =>
          other.has(id) && JSON.stringify(withSchemesOf(other.get(id), response)) !== JSON.stringify(response),
      );
      if (changed.length > 0)
        answers[name] = Object.fromEntries(
          changed.map(({ id, response }) => [String(id), withSchemesOf(other.get(id), response)]),
        );
    }
  return answers;
}

/** Writes the transcripts of some areas with the answers of a release in them. */
export function writeTranscripts(
  areas: readonly string[],
  {
    answers,
    fixtures,
    folder,
  }: { readonly answers: ReleaseAnswers; readonly fixtures: string; readonly folder: string },
): void {
  for (const path of transcriptFiles(fixtures)) {
    if (!areas.includes(dirname(path))) continue;
    const transcripts = transcriptsIn(join(fixtures, path)).map((transcript) => {
      const changed = answers[transcript.name] ?? {};
      return {
        ...transcript,
        steps: transcript.steps.map((step) =>
          step.id !== undefined && step.id in changed ? { ...step, response: changed[step.id] } : step,
        ),
      };
    });
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(transcripts));
  }
}

/** Files of transcripts, as `area/name.json`. */
function transcriptFiles(fixtures: string): readonly string[] {
  return readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'certs')
    .flatMap(({ name }) => readdirSync(join(fixtures, name)).map((file) => `${name}/${file}`))
    .sort();
}

function transcriptsIn(file: string): readonly Transcript[] {
  const content = JSON.parse(readFileSync(file, 'utf8')) as Transcript | readonly Transcript[];
  return Array.isArray(content) ? (content as readonly Transcript[]) : [content as Transcript];
}
