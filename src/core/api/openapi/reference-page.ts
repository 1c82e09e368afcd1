import { html } from 'hono/html'
import { productName } from '@/core/config/product-name'

/** Loads local files only, so it works under the same content security policy as every page. */
export const referencePage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${productName}</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/reference.css">
<script src="/theme.js"></script>
<script src="/api/docs/swagger-ui-bundle.js" defer></script>
<script src="/reference.js" defer></script>
</head>
<body>
<header>
<a href="/">${productName}</a>
<p>To try operations that need a session, call <code>POST /api/auth/signin</code> with <code>"transport": "bearer"</code> and enter the returned <code>token</code> under Authorize.</p>
</header>
<div id="reference"><p>The reference needs JavaScript. You can also read <a href="/api/openapi.json">openapi.json</a>.</p></div>
</body>
</html>
`
