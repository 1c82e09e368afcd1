// Rewrites the moments of a page in the reader's own zone and language, also those that arrive
// later: parts of a page are streamed, and React brings in new ones.
;(() => {
  const formats = {
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
    minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  }
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

  function localise(root) {
    for (const element of root.querySelectorAll('time[data-local]')) {
      const at = new Date(element.dateTime)
      const text = formats[element.dataset.local].format(at)
      if (element.textContent === text) continue
      element.textContent = text
      element.title = exact.format(at)
    }
  }

  localise(document)
  new MutationObserver(() => localise(document)).observe(document.documentElement, {
    childList: true,
    subtree: true,
  })
})()
