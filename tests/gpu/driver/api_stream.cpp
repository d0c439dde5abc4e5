// The driver's interface: streams, events and graphs.
#include "driver.h"

using namespace driver;

//===-- Streams

DRIVER_API cuStreamCreate(CUstream *stream, unsigned flags) {
    return guarded(true, [&](Driver &driver) {
        return *stream = driver.newStream(driver.current(), !(flags & CU_STREAM_NON_BLOCKING)),
               CUDA_SUCCESS;
    });
}
DRIVER_API cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int) {
    return cuStreamCreate(stream, flags);
}
DRIVER_API cuStreamDestroy_v2(CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.streams.contains(stream))
            return CUDA_ERROR_INVALID_HANDLE;
        driver.run(*stream, stream->lastNumber);
        driver.streams.erase(stream);
        driver.destroyed.emplace_back(stream);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuStreamSynchronize(CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        if (on->capture)
            return on->capture->isValid = false, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        if (on == driver.current()->legacy)
            driver.enqueue(*on, [] {}); // waits for all blocking ones
        driver.run(*on, on->lastNumber);
        return CUDA_SUCCESS;
    });
}
/// Who asks again and again gets on: each question does one piece of the work.
DRIVER_API cuStreamQuery(CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        if (on->tasks.empty())
            return CUDA_SUCCESS;
        driver.run(*on, on->tasks.front().number);
        return CUDA_ERROR_NOT_READY;
    });
}
DRIVER_API cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on || !driver.events.contains(event))
            return CUDA_ERROR_INVALID_HANDLE;
        if (event->capture) {
            on->capture = event->capture; // its work is part of that graph until the capture ends
        } else if (event->stream) {
            on->owed.push_back({event->stream, event->number});
        }
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuStreamGetCtx(CUstream stream, CUcontext *context) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        return *context = on->context, CUDA_SUCCESS;
    });
}
DRIVER_API cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        return driver.enqueue(*on, [=] { function(data); }), CUDA_SUCCESS;
    });
}

//===-- Events

DRIVER_API cuEventCreate(CUevent *event, unsigned flags) {
    return guarded(true, [&](Driver &driver) {
        *event = new CUevent_st;
        (*event)->hasTime = !(flags & CU_EVENT_DISABLE_TIMING);
        driver.events.insert(*event);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuEventDestroy_v2(CUevent event) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.events.erase(event))
            return CUDA_ERROR_INVALID_HANDLE;
        return delete event, CUDA_SUCCESS;
    });
}
DRIVER_API cuEventRecord(CUevent event, CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on || !driver.events.contains(event))
            return CUDA_ERROR_INVALID_HANDLE;
        event->capture = on->capture;
        if (on->capture)
            return CUDA_SUCCESS;
        driver.enqueue(*on, [] {});
        event->stream = on;
        event->number = on->lastNumber;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuEventQuery(CUevent event) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.events.contains(event))
            return CUDA_ERROR_INVALID_HANDLE;
        CUstream_st *on = event->stream;
        if (!on || !driver.streams.contains(on) || on->doneNumber >= event->number)
            return CUDA_SUCCESS;
        driver.run(*on, on->tasks.front().number);
        return CUDA_ERROR_NOT_READY;
    });
}
DRIVER_API cuEventSynchronize(CUevent event) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.events.contains(event))
            return CUDA_ERROR_INVALID_HANDLE;
        if (event->capture)
            return event->capture->isValid = false, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        if (event->stream && driver.streams.contains(event->stream))
            driver.run(*event->stream, event->number);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.events.contains(from) || !driver.events.contains(to) || !from->hasTime ||
            !to->hasTime)
            return CUDA_ERROR_INVALID_HANDLE;
        for (CUevent_st *one : {from, to})
            if (!one->stream || one->stream->doneNumber < one->number)
                return CUDA_ERROR_NOT_READY;
        return *milliseconds = 1.0f, CUDA_SUCCESS; // an interpreter's time is nobody's
    });
}

//===-- Graphs: what a stream would have done

DRIVER_API cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        if (on == driver.current()->legacy || on->capture)
            return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        on->capture = new CUgraph_st;
        on->capturesItself = true;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        *graph = nullptr;
        if (!on || !on->capture || !on->capturesItself)
            return CUDA_ERROR_INVALID_HANDLE;
        CUgraph_st *made = on->capture;
        on->capturesItself = false;
        for (CUstream_st *one : driver.streams)
            if (one->capture == made)
                one->capture = nullptr;
        for (CUevent_st *one : driver.events)
            if (one->capture == made)
                one->capture = nullptr;
        if (!made->isValid)
            return delete made, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
        return *graph = made, CUDA_SUCCESS;
    });
}
DRIVER_API cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        return *status =
                   on->capture ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE,
               CUDA_SUCCESS;
    });
}
DRIVER_API cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long) {
    return guarded(true,
                   [&](Driver &) { return *made = new CUgraphExec_st{graph->work}, CUDA_SUCCESS; });
}
DRIVER_API cuGraphLaunch(CUgraphExec graph, CUstream stream) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        for (const auto &work : graph->work)
            driver.enqueue(*on, work);
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuGraphDestroy(CUgraph graph) {
    return guarded(true, [&](Driver &) { return delete graph, CUDA_SUCCESS; });
}
DRIVER_API cuGraphExecDestroy(CUgraphExec graph) {
    return guarded(true, [&](Driver &) { return delete graph, CUDA_SUCCESS; });
}
