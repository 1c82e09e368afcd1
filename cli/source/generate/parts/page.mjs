import { paramsSource } from './params.mjs'

export function pageSource({ name, path, parameters, current, title, policy }) {
  const hasParameters = parameters.length > 0
  const shown = parameters.map((parameter) => `<p>{params.${parameter}}</p>`)
  return `import type { Metadata } from 'next'
${hasParameters ? "import { z } from 'zod'\n" : ''}import { PageLayout } from '@/app/page-layout'
import { page } from 'plinth/guard/page'
import { ${policy} } from 'plinth/guard/policy'

export const metadata: Metadata = { title: '${title}' }
${hasParameters ? `\nconst params = ${paramsSource(parameters)}\n` : ''}
export default page(
  { name: '${name}', path: '${path}', authorize: ${policy}${hasParameters ? ', params' : ''} },
  ({ scope${hasParameters ? ', params' : ''} }) => (
    <PageLayout ${current ? `current="${current}" ` : ''}title="${title}">
      <p>Signed in as {scope.session.user.name}.</p>
      ${shown.join('\n')}
    </PageLayout>
  ),
)
`
}

export function publicPageSource({ path, title }) {
  return `import type { Metadata } from 'next'
import { StaticPageLayout } from '@/app/static-page-layout'
import { publicPage } from 'plinth/guard/page'

export const metadata: Metadata = { title: '${title}' }

export default publicPage({ path: '${path}' }, () => (
  <StaticPageLayout>
    <div className="mx-auto w-full max-w-3xl px-5 py-10 sm:px-8 sm:py-14">
      <h1 className="mb-8 text-2xl">${title}</h1>
      <p>This page is the same for every caller.</p>
    </div>
  </StaticPageLayout>
))
`
}
