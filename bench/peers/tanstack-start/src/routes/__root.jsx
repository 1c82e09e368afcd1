import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'

export const Route = createRootRoute({
  head: () => ({ meta: [{ charSet: 'utf-8' }] }),
  component: Root,
})

function Root() {
  return (
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: this is not a Next app */}
      <head>
        <HeadContent />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
