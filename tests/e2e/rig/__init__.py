"""The virtual machine: its kernel, its root image, the running guest, and what a test case is handed."""
