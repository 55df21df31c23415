/** Programs and what they were made of. Paths are relative to the checkout. */
export interface BundledPrograms {
  readonly inputs: readonly (readonly [path: string, mtimeMs: number, bytes: number])[];
  /** The file to run in place of a source file. */
  readonly programs: Readonly<Record<string, string>>;
}

/** What a bundle was made of. */
export interface BundleManifest extends BundledPrograms {
  readonly format: typeof MANIFEST_FORMAT;
  /** The command, which is looked at before anything else is loaded: with fewer inputs. */
  readonly command: BundledPrograms;
}

export declare const MANIFEST_FORMAT: 8;
export declare function readManifest(manifestFile: string): BundleManifest | undefined;
export declare function isCurrent(checkout: string, bundled: BundledPrograms): boolean;
