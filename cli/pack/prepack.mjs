import { copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { engineTarball, packedEngines } from '../source/engine/engine-tarball.mjs'
import { encodeDotfiles } from '../source/template/dotfiles.mjs'
import { cliRoot, isPacked } from '../source/template/location.mjs'
import { readTemplate } from '../source/template/read-template.mjs'
import { writeTree } from '../source/tree.mjs'

// If an unpacked package is packed again, it already contains the template.
if (!isPacked) {
  const template = await readTemplate()
  const entries = [...template].map(([path, content]) => [encodeDotfiles(path), content])
  await rm(join(cliRoot, 'template'), { recursive: true, force: true })
  await writeTree(join(cliRoot, 'template'), new Map(entries))
  const { path, content } = await engineTarball()
  await writeTree(packedEngines, new Map([[basename(path), content]]))
  for (const name of ['CHANGELOG.md', 'LICENSE'])
    await copyFile(join(cliRoot, '..', name), join(cliRoot, name))
}
