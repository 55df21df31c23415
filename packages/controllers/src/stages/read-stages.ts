import { append, isStatusError, messageOf, readYAML } from '@kubechain/apimachinery';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stagePresets } from './presets.ts';
import { readStage } from './read-stage.ts';
import type { Stage } from './stage.ts';
import { StageError } from './stage-error.ts';
import { knowsFunction } from './stage-functions.ts';
import { isMap } from './template/go-values.ts';
import { parseTemplate } from './template/parse-template.ts';

const apiVersion = 'kwok.x-k8s.io/v1alpha1';

/**
 * Stages of files, of the YAML files of folders, and of presets (`pod-fast` and the like), in that order. Documents of
 * other groups than kwok's are passed over.
 * @throws StageError that says which file, document, field and line are wrong or not supported
 */
export async function readStages(sources: readonly string[]): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  for (const source of sources) {
    const preset = stagePresets.get(source);
    const files = preset === undefined ? await filesOf(source) : [source];
    for (const file of files) append(stages, await stagesOf(preset ?? (await readFile(file, 'utf8')), file));
  }
  return stages;
}

async function filesOf(source: string): Promise<readonly string[]> {
  try {
    if (!(await stat(source)).isDirectory()) return [source];
    const names = await readdir(source, { recursive: true });
    return names
      .filter((name) => /\.ya?ml$/.test(name))
      .sort()
      .map((name) => join(source, name));
  } catch (cause) {
    throw new StageError(
      `${source}: ${messageOf(cause)}; it is no preset either (${[...stagePresets.keys()].join(', ')})`,
      { cause },
    );
  }
}

async function stagesOf(text: string, file: string): Promise<readonly Stage[]> {
  const stages: Stage[] = [];
  const documents = text.split(/^---(?:[ \t].*)?$/m);
  for (const [index, document] of documents.entries()) {
    const place = documents.length === 1 ? file : `${file}, document ${index + 1}`;
    const manifest = await documentOf(document, place);
    if (!isMap(manifest)) continue;
    const { apiVersion: version, kind } = manifest;
    if (typeof version !== 'string' || !version.startsWith('kwok.x-k8s.io/')) continue;
    if (version !== apiVersion || kind !== 'Stage')
      throw new StageError(`${place}: ${version} ${typeof kind === 'string' ? kind : 'object'} is not supported`);
    const stage = readStage(manifest, place, (template) => parseTemplate(template.trim(), knowsFunction));
    if (stage !== undefined) stages.push(stage);
  }
  return stages;
}

async function documentOf(document: string, place: string): Promise<unknown> {
  if (document.trim() === '') return undefined;
  try {
    return (await readYAML(Buffer.from(document))).value;
  } catch (cause) {
    throw new StageError(`${place}: ${isStatusError(cause) ? cause.message : messageOf(cause)}`, { cause });
  }
}
