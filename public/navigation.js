// Closes the mobile menu when a link in it is followed, including links within the page.
document.addEventListener('click', ({ target }) => {
  target.closest('[popover] a')?.closest('[popover]').hidePopover()
})
