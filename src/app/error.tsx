'use client'

// Next sends this file with every page. Exporting both from here avoids a second chunk.
export { FailurePage as default, StatusPage } from '@/core/ui/status-page'
