import { html } from 'hono/html'
import { productName } from '@/core/name'

/** All of it is ours or served by us; what it loads and runs is under the policy of every page. */
export const referencePage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP interface · ${productName}</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/reference.css">
<script src="/theme.js"></script>
<script src="/api/docs/swagger-ui-bundle.js" defer></script>
<script src="/reference.js" defer></script>
</head>
<body>
<header>
<a href="/">${productName}</a>
<p>To try what needs a session: <code>POST /api/auth/signin</code> with <code>"transport": "bearer"</code>, then put the <code>token</code> of the answer under Authorize.</p>
</header>
<div id="reference"><p>The reference needs JavaScript. Without it, read <a href="/api/openapi.json">openapi.json</a>.</p></div>
</body>
</html>
`
