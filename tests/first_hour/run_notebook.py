"""python run_notebook.py NOTEBOOK PYTHON: executes the notebook by a kernel of that Python, and writes its outputs.

A process of its own: what the kernel's client leaves open is no concern of the tests.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient


def run(path: Path, python: str, variables: dict[str, str]) -> None:
    """The notebook in its folder, with nothing of this process's environment."""
    spec = path.parent / "kernels" / "newcomer"
    spec.mkdir(parents=True)
    start = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    about = {"argv": start, "display_name": "newcomer", "language": "python", "env": variables}
    spec.joinpath("kernel.json").write_text(json.dumps(about))
    kernels = KernelSpecManager(kernel_dirs=[str(path.parent / "kernels")])
    manager = AsyncKernelManager(kernel_name="newcomer", kernel_spec_manager=kernels)
    book = nbformat.read(path, as_version=4)
    try:
        NotebookClient(book, km=manager, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    finally:
        nbformat.write(book, path)


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]))
