import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './documents.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Variables of modules, by the file's name. Servers of one process share them, so they may keep what is the same for
 * all of them, and change nothing but time and memory: facts that are read once, texts and objects that are used
 * again, counts of the process.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'schema-type.ts': ['objects'],
  'list-items.ts': ['elements', 'elementCount'],
  'time.ts': ['lastSeconds', 'lastText'],
  'builtin-scheme.ts': ['facts'],
  'shared.ts': ['young', 'old', 'youngChars', 'recent'],
  'open-api-service.ts': ['packageDescriptions'],
  'webhook-client.ts': ['authorities'],
  'watch-frame.ts': ['encoded', 'shared'],
};

/**
 * Collections of modules that begin empty, by file: what was worked out once and is the same for all who ask. Those by
 * text are bounded, the others go with the object that they are kept for.
 */
const memories: Readonly<Record<string, readonly string[]>> = {
  'rules.ts': ['compiled'],
  'schema-has-rules.ts': ['known'],
  'schema-type.ts': ['shapes'],
  'value-schema.ts': ['compiled', 'needsOf'],
  'custom-values.ts': ['instances'],
  'default.ts': ['sizes'],
  'validator.ts': ['types'],
  'atom.ts': ['typed', 'preserving', 'scalars'],
  'field-set.ts': ['emptySet'],
  'fields-v1.ts': ['sets', 'wires'],
  'label-tests.ts': ['names'],
  'may-not-fit.ts': ['ways'],
  'path-element.ts': ['parsed', 'keys'],
  'reconcile.ts': ['settled'],
  'emptied.ts': ['emptied'],
  'from-unstructured.ts': ['compiled'],
  'quantity.ts': ['parsed'],
  'suffix.ts': ['bySuffix'],
  'defaults.ts': ['appliers', 'steps', 'reachable'],
  'structural.ts': ['roots'],
  'compiled-schema.ts': ['compiled'],
  'compiled-selector.ts': ['compiled'],
  'shared.ts': ['texts'],
  'wire-form.ts': ['compiled'],
  'wire-plan.ts': ['plans'],
  'names.ts': ['knownNames'],
  'authenticated-group-adder.ts': ['withGroup'],
  'client-certificate.ts': ['shown'],
  'bootstrap-policy.ts': ['loaded'],
  'extensions.ts': ['read'],
  'batches.ts': ['free', 'lent'],
  'indent-json.ts': ['breaks'],
  'built-in-schema.ts': ['extrasByRelease'],
  'group-version-kinds.ts': ['byRelease'],
  'identity-headers.ts': ['extraHeaders'],
  'director.ts': ['targets'],
  'open-responses.ts': ['connections'],
  'request-pieces.ts': ['inPieces'],
  'upgrades.ts': ['pending'],
  'patterns.ts': ['compiled'],
  'work.ts': ['listed', 'known'],
  'grammar.ts': ['known'],
  'syntax-problems.ts': ['repeats', 'joined'],
  'device-expression.ts': ['checked'],
  'table-of.ts': ['byRelease'],
  'cacher-metrics.ts': ['sets'],
  'progress-support.ts': ['known'],
};

const variable = /^(?:export )?let (\w+)/gm;
const emptyCollection =
  /^(?:export )?const (\w+)(?:: (?![Rr]eadonly)[^=]+)? = (?:new (?:Weak)?(?:Map|Set)(?:<(?:(?!\n[^\s>])[^])*?>)?\(\)|\[\]);/gm;

/** Names that modules can change: variables, and collections that begin empty. */
function changeable(source: string, kind: 'variables' | 'collections'): string[] {
  return [...source.matchAll(kind === 'variables' ? variable : emptyCollection)].map(([, name = '']) => name);
}

/** Of all sources that have any, by file. */
function found(kind: 'variables' | 'collections'): Record<string, string[]> {
  const byFile: Record<string, string[]> = {};
  for (const path of filesBelow(root, 'packages')) {
    if (!/^packages\/[^/]+\/src\/.*(?<!spec)\.ts$/.test(path) || /\/(spec-support|testing)\//.test(path)) continue;
    const names = changeable(readFileSync(join(root, path), 'utf8'), kind);
    if (names.length > 0) byFile[path.split('/').at(-1) ?? ''] = names;
  }
  return byFile;
}

describe('state of modules', () => {
  it('is nothing that servers of one process could tell', () => {
    expect(found('variables')).to.deep.equal(allowed);
  });

  it('remembers only what is the same for all who ask', () => {
    expect(found('collections')).to.deep.equal(memories);
  });

  it('is seen', () => {
    const source = 'let a = 1;\nexport const b = new Map<string, Map<string, number>>();\nconst c: string[] = [];\n';
    expect([changeable(source, 'variables'), changeable(source, 'collections')]).to.deep.equal([['a'], ['b', 'c']]);
    expect(changeable('const d: ReadonlyMap<string, string> = new Map();\n', 'collections')).to.deep.equal([]);
  });
});
