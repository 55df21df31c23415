import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserProject } from './user-project.ts';

/** The oldest Node that the packages run on, by their manifests. */
export const oldestNode = '22.19.0';
/** The Node releases that users run it with, as the registry has them. */
export const nodeReleases = { 22: oldestNode, 24: '24.21.0', 26: '26.10.0' } as const;
export type Major = keyof typeof nodeReleases;
export const majors = Object.keys(nodeReleases).map(Number) as Major[];

const variable = 'KUBECHAIN_NODE_RELEASES';
const programIn = (folder: string, major: Major): string => join(folder, 'node_modules', `node${major}`, 'bin/node');

/** The releases where they run: in the folder that `KUBECHAIN_NODE_RELEASES` names, or in one that goes with this. */
export class NodeReleases implements Disposable {
  readonly #folder: string;
  readonly #own: UserProject | undefined;

  private constructor(folder: string, own?: UserProject) {
    this.#folder = folder;
    this.#own = own;
  }

  /** Installs what is not there. */
  static async open(...wanted: readonly Major[]): Promise<NodeReleases> {
    const given = process.env[variable];
    if (given !== undefined && wanted.every((major) => existsSync(programIn(given, major))))
      return new NodeReleases(given);
    const own = new UserProject({}, given);
    await own.install(
      // What is not named anew goes.
      ...(given === undefined ? wanted : majors).map(
        (major) => `node${major}@npm:node-${process.platform}-${process.arch}@${nodeReleases[major]}`,
      ),
    );
    return new NodeReleases(own.folder, given === undefined ? own : undefined);
  }

  /** Path of the program. */
  program(major: Major): string {
    return programIn(this.#folder, major);
  }

  [Symbol.dispose](): void {
    this.#own?.[Symbol.dispose]();
  }
}
