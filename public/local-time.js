// Rewrites times in the user's time zone and language. Also observes the page, since streaming and
// React add elements later.
;(() => {
  const formats = {
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
    minute: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  }
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

  function localize(root) {
    for (const element of root.querySelectorAll('time[data-local]')) {
      const at = new Date(element.dateTime)
      const text = formats[element.dataset.local].format(at)
      if (element.textContent === text) continue
      element.textContent = text
      element.title = exact.format(at)
    }
  }

  localize(document)
  new MutationObserver(() => localize(document)).observe(document.documentElement, {
    childList: true,
    subtree: true,
  })
})()
