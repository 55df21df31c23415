import { expect } from 'chai';
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowedEdges, allowedInSpecs, assemblyRooms } from './allowed-edges.ts';
import { floors } from './floors.ts';
import type { Floors } from './import-graph.ts';
import { findCycle, findRoomCycle, importsUpwards, readImports } from './import-graph.ts';

const root = join(import.meta.dirname, '../../..');
const packageOf = (specifier: string): string | undefined =>
  specifier === 'kubechain' || specifier.startsWith('kubechain/')
    ? 'kubechain'
    : /^@kubechain\/([^/]+)/.exec(specifier)?.[1];
const isSpec = (file: string): boolean =>
  file.endsWith('spec.ts') || file.includes('/testing/') || file.includes('/scripts/');

/** Of a package: source files by sub-path. */
const entriesOf = (name: string): Readonly<Record<string, string>> =>
  (
    JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, string>>;
    }
  ).exports;
const entryFiles = (name: string): string[] =>
  Object.values(entriesOf(name))
    .filter((file) => !file.includes('*'))
    .map((file) => join(root, 'packages', name, file));

/** The folders of a package that have floors, the package itself first. */
const storeys = (name: string): Floors[] =>
  Object.entries(floors)
    .filter(([folder]) => folder === name || folder.startsWith(`${name}/`))
    .map(([folder, of]) => ({ base: `packages/${folder.replace(name, `${name}/src`)}/`, floors: of }));

describe('architecture', () => {
  it('names every package', () => {
    expect(readdirSync(join(root, 'packages')).sort()).to.deep.equal(Object.keys(allowedEdges).sort());
  });

  for (const [name, allowed] of Object.entries(allowedEdges)) {
    describe(`packages/${name}`, () => {
      const edges = readImports(root, join('packages', name));

      it('imports only packages below it', () => {
        const wrong = edges.filter((edge) => {
          const target = packageOf(edge.specifier);
          if (target === undefined || target === name || allowed.includes(target)) return false;
          if (allowed.includes(edge.specifier.replace('@kubechain/', ''))) return false;
          return !(isSpec(edge.from) && allowedInSpecs.includes(target));
        });
        expect(wrong.map((edge) => `${edge.from} → ${edge.specifier}`)).to.deep.equal([]);
      });

      it('assembles servers only in the rooms for that', () => {
        const rooms = assemblyRooms[name] ?? [];
        const wrong = edges.filter(
          ({ from, specifier }) =>
            specifier === '@kubechain/apiserver/servers' &&
            !isSpec(from) &&
            !rooms.some((room) => from.startsWith(`packages/${name}/src/${room}/`)),
        );
        expect(wrong.map((edge) => `${edge.from} → ${edge.specifier}`)).to.deep.equal([]);
      });

      it('reaches other packages only through what they export', () => {
        const wrong = edges.filter((edge) => {
          if (edge.to !== undefined) return !edge.to.startsWith(`packages/${name}/`);
          const target = packageOf(edge.specifier);
          if (target === undefined) return false;
          const sub = edge.specifier.replace(/^(@kubechain\/)?[^/]+/, '.');
          return !Object.keys(entriesOf(target)).some((pattern) =>
            new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '.+')}$`).test(sub),
          );
        });
        expect(wrong.map((edge) => `${edge.from} → ${edge.specifier}`)).to.deep.equal([]);
      });

      it('has no import cycle', () => {
        expect(findCycle(edges)?.join(' → ')).to.equal(undefined);
      });

      it('has floors, and every folder stands on one', () => {
        const homeless = storeys(name).flatMap(({ base, floors: known }) => {
          const folders = new Set(
            edges
              .filter(({ from, to }) => to !== undefined && !isSpec(from) && from.startsWith(base))
              .flatMap(({ from }) => /^([^/]+)\//.exec(from.slice(base.length))?.[1] ?? []),
          );
          return [...folders].filter((folder) => !known.flat().includes(folder)).map((folder) => base + folder);
        });
        expect(homeless).to.deep.equal([]);
      });

      it('imports nothing from a higher floor, nor from another room of the same floor', () => {
        const own = edges.filter(({ from }) => !isSpec(from));
        expect(storeys(name).flatMap((storey) => importsUpwards(own, storey))).to.deep.equal([]);
      });

      it('has no circle between what stands side by side in a folder', () => {
        expect(findRoomCycle(edges.filter(({ from }) => !isSpec(from)))).to.equal(undefined);
      });

      it('exports by name', () => {
        for (const file of entryFiles(name).filter((path) => !path.includes('/presets/')))
          expect(readFileSync(file, 'utf8'), file).to.not.match(/export \*/);
      });
    });
  }

  for (const name of ['bench', 'test-e2e'])
    it(`${name} has no import cycle, of types neither`, () => {
      const edges = readImports(root, name);
      expect(edges.length).to.be.greaterThan(0);
      expect(findCycle(edges)?.join(' → ')).to.equal(undefined);
    });

  it('the checks see wrong edges and cycles', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-architecture-'));
    try {
      mkdirSync(join(folder, 'a'));
      writeFileSync(
        join(folder, 'a/one.ts'),
        "import { two } from './two.ts';\nimport type { T } from '@kubechain/aggregator';\nexport const one = two;\n",
      );
      writeFileSync(
        join(folder, 'a/two.ts'),
        "export { one as two } from './one.ts';\nconst later = () => import('./three.ts');\n",
      );
      const edges = readImports(folder, 'a');
      expect(edges.map((edge) => edge.specifier).sort()).to.deep.equal([
        './one.ts',
        './three.ts',
        './two.ts',
        '@kubechain/aggregator',
      ]);
      expect(findCycle(edges)).to.deep.equal(['a/one.ts', 'a/two.ts', 'a/one.ts']);
      const inFloors = (from: string, to: string): readonly string[] =>
        importsUpwards([{ from, to, specifier: '', typeOnly: true }], {
          base: 'a/',
          floors: [['low'], ['high', 'beside']],
        });
      expect(inFloors('a/low/one.ts', 'a/high/two.ts')).to.deep.equal(['low/one.ts → high/two.ts']);
      expect(inFloors('a/high/two.ts', 'a/low/one.ts')).to.deep.equal([]);
      expect(inFloors('a/high/two.ts', 'a/beside/one.ts')).to.deep.equal(['high/two.ts → beside/one.ts']);
      expect(inFloors('a/high/two.ts', 'a/high/three.ts')).to.deep.equal([]);
      const edge = (from: string, to: string) => ({ from, to, specifier: '', typeOnly: true });
      expect(findRoomCycle([edge('a/b/c/one.ts', 'a/b/d/two.ts'), edge('a/b/d/three.ts', 'a/b/c/four.ts')])).to.equal(
        'a/b/: c → d → c',
      );
      expect(findRoomCycle([edge('a/b/c/one.ts', 'a/b/d/two.ts'), edge('a/b/c/three.ts', 'a/b/d/two.ts')])).to.equal(
        undefined,
      );
      expect(inFloors('a/high/two.ts', 'a/index.ts')).to.deep.equal(['high/two.ts → index.ts']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
