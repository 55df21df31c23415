import { expect } from 'chai';
import { join } from 'node:path';
import {
  anchorsOf,
  breakpointsOf,
  deadLinks,
  filesBelow,
  missingBreakpoints,
  missingFiles,
  quotedLines,
  readDocuments,
  staleQuotes,
} from './documents.ts';

const root = join(import.meta.dirname, '../../..');

describe('documents', () => {
  const files = filesBelow(root);
  const documents = readDocuments(root, files);

  it('are all read', () => {
    expect(documents.map(({ path }) => path)).to.include.members([
      'ARCHITECTURE.md',
      'README.md',
      'docs/contributing.md',
      'packages/embedded-etcd/README.md',
    ]);
  });

  it('link to files and headings that are there', () => {
    expect(documents.flatMap((document) => deadLinks(root, document))).to.deep.equal([]);
  });

  it('name files that are there', () => {
    expect(documents.flatMap((document) => missingFiles(document, files))).to.deep.equal([]);
  });

  it('quote lines that the sources have', () => {
    expect(documents.flatMap((document) => staleQuotes(root, document))).to.deep.equal([]);
  });

  it('name places to stop at that the sources have', () => {
    expect(documents.flatMap(({ text }) => breakpointsOf(text)).length).to.be.greaterThan(30);
    expect(documents.flatMap((document) => missingBreakpoints(root, document))).to.deep.equal([]);
  });

  it('show an example in every recipe', () => {
    const recipes = documents.find(({ path }) => path === 'docs/contributing.md')?.text.split(/^## /m) ?? [];
    const without = recipes.filter((recipe) => /^Proof:/m.test(recipe) && !recipe.includes('```diff'));
    expect(recipes.filter((recipe) => /^Proof:/m.test(recipe))).to.have.length(7);
    expect(without.map((recipe) => recipe.split('\n')[0])).to.deep.equal([]);
  });

  describe('are read so that', () => {
    const document = (text: string) => ({ path: 'README.md', text });

    it('a link to a file that is not there is told', () => {
      expect(deadLinks(root, document('[a](LICENSE) [b](NOWHERE.md) [c](https://kubernetes.io)'))).to.deep.equal([
        'README.md → NOWHERE.md',
      ]);
    });
    it('a place to stop at that is not in its file is told', () => {
      const table =
        '| file | break at |\n|---|---|\n| [a](package.json) [b](test-e2e/src/architecture/documents.ts) | `no such` |';
      expect(missingBreakpoints(root, document(table))).to.deep.equal([
        'test-e2e/src/architecture/documents.ts: no such',
      ]);
    });
    it('a link to a heading that is not there is told', () => {
      expect(deadLinks(root, document('# One `two`, three\n[a](#one-two-three) [b](#four)'))).to.deep.equal([
        'README.md → #four',
      ]);
    });
    it('headings of one name have numbers', () => {
      expect([...anchorsOf('# A\n## A\n')]).to.deep.equal(['a', 'a-1']);
    });
    it('a file that is not there is told, with or without its folder', () => {
      const text = '`docs/gone.md`, `packages/gone/src`, `gone.ts`; `cacher.ts`, `docs/*.md`, `etcd-io/etcd`';
      const known = ['docs/testing.md', 'packages/shared-storage/src/cacher/cacher.ts'];
      expect(missingFiles(document(text), known)).to.deep.equal([
        'README.md → docs/gone.md',
        'README.md → packages/gone/src',
        'README.md → gone.ts',
      ]);
    });
    it('a quoted line that is not in its file is told', () => {
      const text = '```diff\n+++ tsconfig.json\n {\n+  "never": 1\n```\n';
      expect(quotedLines(document(text))).to.have.length(2);
      expect(staleQuotes(root, document(text))).to.deep.equal(['tsconfig.json:   "never": 1']);
    });
  });
});
