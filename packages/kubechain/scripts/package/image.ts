/**
 * Makes what the image has: `node packages/kubechain/scripts/package/image.ts OUTDIR LOADED` (Dockerfile).
 *
 *     OUTDIR/*.mjs                        the programs and the command
 *     OUTDIR/openapi-descriptions.json.gz texts of built-in types
 *     OUTDIR/page                         what the browser loads of the chain's page
 *     LOADED                              what the servers load when they run from their sources, a file each line
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PackageDescriptions, recordDescriptions, RECORDED_FILE_NAME } from '@kubechain/apiserver/descriptions';
import { buildPrograms } from '../../src/bundle/build-bundle.ts';
import { bundlePlace, IMAGE_PROGRAMS, PROGRAMS } from '../../src/bundle/bundle-place.ts';
import { loadedFiles } from './loaded-files.ts';
import { writePage } from './write-page.ts';

const [outdir, loaded] = process.argv.slice(2);
if (outdir === undefined || loaded === undefined) throw new RangeError('usage: image.ts OUTDIR LOADED');

const place = bundlePlace();
await buildPrograms(resolve(outdir), place, IMAGE_PROGRAMS);
writeFileSync(join(outdir, RECORDED_FILE_NAME), recordDescriptions(new PackageDescriptions()));
await writePage(join(outdir, 'page'));
const servers = Object.values(PROGRAMS).filter((source) => !source.startsWith('packages/kubechain/'));
const files = await loadedFiles(place.checkout, servers);
writeFileSync(loaded, files.map((file) => `${file}\n`).join(''));
